import {cpSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {dirname, posix, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitepress';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const site = resolve(repository, 'target/site');

/** Folders with pages. */
const FOLDERS = ['docs', 'bench'];

/** Files that pages link to, by their place in the site. */
const linked = new Map();

function entry(page) {
  const heading = readFileSync(resolve(repository, page), 'utf8').match(/^# (.*)$/m)[1];
  return {text: heading.replaceAll('`', ''), link: '/' + page.replace(/\.md$/, '')};
}

/** Pages in the order in which docs/README.md links to them, under its headings. */
function sidebar() {
  return readFileSync(resolve(repository, 'docs/README.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map(section => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/\]\(([^)]+\.md)\)/g)].map(match => entry(posix.join('docs', match[1]))),
    }));
}

/** Notes the files that a page links to and that are no pages: they become part of the site. Indented code looks like fenced code. */
function adapt(markdown) {
  markdown.core.ruler.push('adapt', state => {
    for (const block of state.tokens.filter(block => block.type === 'code_block')) {
      Object.assign(block, {type: 'fence', tag: 'code', info: 'text'});
    }
    for (const token of state.tokens.flatMap(block => block.children ?? [])) {
      const link = token.type === 'link_open' ? token.attrGet('href').split('#')[0] : '';
      if (!link || /^[a-z]+:/.test(link) || link.endsWith('.md')) {
        continue;
      }
      const file = posix.join(posix.dirname(state.env.relativePath), link);
      if (!statSync(resolve(repository, file)).isFile()) {
        throw new Error(`${state.env.relativePath}: ${link}: a link to a folder, which a site has no page for`);
      }
      // Browsers show it, whatever it is.
      token.attrSet('href', `${link}.txt`);
      linked.set(`${file}.txt`, file);
    }
  });
}

export default defineConfig({
  title: 'Braid',
  description: 'Trains neural networks inside Apache Flink, without a parameter server.',
  lang: 'en',
  srcDir: '..',
  outDir: site,
  cacheDir: resolve(repository, 'target/site-cache'),
  srcExclude: [
    ...readdirSync(repository, {withFileTypes: true})
      .filter(file => file.isDirectory() && !FOLDERS.includes(file.name))
      .map(folder => `${folder.name}/**`),
    '**/node_modules/**',
    '**/target/**',
  ],
  ignoreDeadLinks: 'localhostLinks',
  rewrites: {'README.md': 'index.md', 'docs/README.md': 'docs/index.md'},
  // Pages outside this folder find it, too.
  vite: {resolve: {alias: [{find: /^vue(?=$|\/)/, replacement: resolve(repository, 'docs/node_modules/vue')}]}},
  markdown: {config: adapt},
  buildEnd() {
    for (const [place, file] of linked) {
      cpSync(resolve(repository, file), resolve(site, place));
    }
  },
  themeConfig: {
    search: {provider: 'local'},
    nav: [{text: 'Documentation', link: '/docs/'}],
    sidebar: sidebar(),
    outline: [2, 3],
  },
});
