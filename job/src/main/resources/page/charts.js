'use strict';
// What the pages' own scripts have in common.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
// Readers with a colour vision deficiency distinguish most of these; markers and dashes distinguish all.
const colours = {
  light: ['#0072b2', '#b85000', '#007d5a', '#b03f94', '#846000', '#3f51b5', '#c62828', '#5f6b76'],
  dark: ['#56b4e9', '#ff9248', '#2fd0a0', '#e58bd0', '#f0c94a', '#9fa8ff', '#ff7b7b', '#b6c0ca'],
};
const markers = ['circle', 'rect', 'triangle', 'rectRot'];
const dashes = [[], [6, 3], [2, 2]];
/** More markers on a line would hide it. */
const mostMarkers = 25;
// Colours of no run, with the colour of the text on them.
const shares = {
  light: [['#4a3f78', '#ffffff'], ['#d3cfe2', '#1c2128'], ['#6f63a5', '#ffffff']],
  dark: [['#c3b9f0', '#14171c'], ['#3f3a52', '#e6e9ed'], ['#6f63a5', '#ffffff']],
};

const percent = (value, digits) => (100 * value).toFixed(digits) + ' %';
/** As many digits as the value has: ticks next to each other differ in any of them. */
const percentTick = value => `${+(100 * value).toFixed(4)} %`;

/** Both ends of a long name: names often differ in the last characters only. */
const short = name => name.length <= 28 ? name : name.slice(0, 13) + '…' + name.slice(-14);

/** Width of the widest text, in pixels. */
function widest(texts, font) {
  const ctx = document.createElement('canvas').getContext('2d');
  ctx.font = font;
  return Math.max(0, ...texts.map(text => ctx.measureText(text).width));
}

/** Writes a text, and records whether a part of it is outside the plot. */
function write(chart, text, x, y) {
  const {ctx} = chart;
  const {width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down} = ctx.measureText(text);
  chart.clips ||= x < 0 || x + width > chart.width || y - up < 0 || y + down > chart.height;
  ctx.fillText(text, x, y);
}

/** A labelled line across the plot at the target. */
function goal(colour, target) {
  return {
    id: 'goal',
    afterDatasetsDraw(chart) {
      const {ctx, chartArea, scales} = chart;
      const y = scales.y.getPixelForValue(target);
      chart.showsGoal = y >= chartArea.top && y <= chartArea.bottom;
      ctx.save();
      ctx.strokeStyle = colour;
      ctx.fillStyle = colour;
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      ctx.moveTo(chartArea.left, y);
      ctx.lineTo(chartArea.right, y);
      ctx.stroke();
      ctx.font = '12px system-ui, sans-serif';
      ctx.textAlign = 'left';
      // Below the line where there is no room above.
      const isAtTop = y - chartArea.top < 18;
      ctx.textBaseline = isAtTop ? 'top' : 'bottom';
      write(chart, 'target ' + percentTick(target), chartArea.left + 6, y + (isAtTop ? 4 : -2));
      ctx.restore();
    },
  };
}

function axis(title, css, ticks = {}) {
  return {
    type: 'linear',
    title: {display: true, text: title, color: css('--faint')},
    grid: {color: css('--line')},
    ticks: {color: css('--faint'), ...ticks},
  };
}

/**
 * A line of a plot. Lines differ in colour, and in marker or dash, too.
 *
 * @param index of the line in the plot
 */
function line(label, points, index, theme) {
  const count = colours[theme].length;
  const colour = colours[theme][index % count];
  const every = Math.ceil(points.length / mostMarkers);
  return {
    label,
    data: points,
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    borderDash: dashes[Math.floor(index / markers.length) % dashes.length],
    // The legend has no dashes: lines of the same colour have different markers.
    pointStyle: markers[(index + Math.floor(index / count)) % markers.length],
    pointRadius: points.map((_, i) => i % every === 0 ? 3.5 : 0),
    pointHitRadius: 6,
    clip: 5,
  };
}

/**
 * Draws a plot. Its label for screen readers is the caption with the first and the last point of each line.
 *
 * @param words what a tooltip says about a point of a line, or a part of a bar
 */
function plotted(id, config, words) {
  config.options.plugins.tooltip.callbacks.label =
      item => `${item.dataset.label}: ${words(item.parsed, item.dataIndex)}`;
  const canvas = document.getElementById(id);
  const texts = config.data.datasets.filter(set => set.data.length > 0).map(set => {
    const at = index => words(typeof set.data[index] === 'number'
        ? {x: set.data[index], y: set.data[index]} : set.data[index], index);
    const last = set.data.length - 1;
    // Bars of runs have no order.
    const all = config.options.indexAxis === 'y' ? set.data.map((_, index) => at(index)).join(', ') : '';
    return `${set.label}: ${all || at(0) + (last > 0 ? ' to ' + at(last) : '')}`;
  });
  const caption = canvas.closest('figure').querySelector('figcaption').textContent;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${caption}. ${texts.join('; ') || 'No data yet'}.`);
  return new Chart(canvas, config);
}

function options(css, scales) {
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: {mode: 'nearest', intersect: false},
    scales,
    plugins: {
      legend: {position: 'bottom', labels: {usePointStyle: true, boxWidth: 7, boxHeight: 7, color: css('--text')}},
      tooltip: {callbacks: {}},
    },
  };
}

/** How workers spent their time, per run or epoch: one set of bars for each part. */
function shareSets(items, theme, css) {
  return ['computing', 'waiting', 'exchanging'].map((part, index) => ({
    label: part,
    data: items.map(item => item.shares[index]),
    backgroundColor: shares[theme][index][0],
    ink: shares[theme][index][1],
    borderColor: css('--faint'),
    borderWidth: 1,
    maxBarThickness: 36,
  }));
}

/** The page's colours: the reader's scheme on a screen, light on paper. */
function look() {
  const page = document.documentElement;
  const style = getComputedStyle(page);
  const isDark = dark.matches && !page.classList.contains('printed');
  return {css: name => style.getPropertyValue(name).trim(), theme: isDark ? 'dark' : 'light'};
}

/** Whether a line of text ends within a word. */
function breaksAWord(element) {
  const text = element.firstChild;
  const range = document.createRange();
  return [...text.data.matchAll(/\S+/g)].some(({0: word, index}) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  });
}

/** Whether the first column stays visible when the table is scrolled. */
function holdsFirstColumn(wide) {
  const before = wide.scrollLeft;
  wide.scrollLeft = wide.scrollWidth;
  const first = wide.querySelector('thead th').getBoundingClientRect();
  const holds = Math.abs(first.left - wide.getBoundingClientRect().left) < 1;
  wide.scrollLeft = before;
  return holds;
}

/**
 * Draws the plots, again when the colour scheme changes and for print, and records what a test of
 * the page's text cannot see.
 */
function drawn(plot, place) {
  const page = document.documentElement;
  const wide = document.querySelector(place);
  const hint = document.querySelector('.hint');
  const fit = () => {
    const scrolls = wide.scrollWidth > wide.clientWidth;
    hint.hidden = !scrolls;
    // Only a table that scrolls needs the keyboard.
    wide.tabIndex = scrolls ? 0 : -1;
    page.dataset.scrolls = scrolls;
    page.dataset.hint = hint.offsetHeight > 0;
    page.dataset.wider = page.scrollWidth > page.clientWidth;
    page.dataset.holdsFirst = holdsFirstColumn(wide);
    page.dataset.brokenHeaders = [...wide.querySelectorAll('thead th')].filter(breaksAWord).length;
  };
  const draw = () => {
    const charts = plot();
    const labels = [...document.querySelectorAll('canvas')].map(it => it.getAttribute('aria-label'));
    const lines = charts.filter(chart => chart.config.type === 'line').flatMap(chart => chart.data.datasets);
    page.dataset.plots = charts.length;
    page.dataset.lines = lines.length;
    page.dataset.dashed = lines.filter(line => line.borderDash?.length > 0).length;
    page.dataset.unmarked = lines.filter(line => line.pointRadius === 0).length;
    page.dataset.labelled = labels.filter(label => /\. \S.*\.$/.test(label)).length;
    page.dataset.goals = charts.filter(chart => chart.showsGoal).length;
    page.dataset.clipped = charts.filter(chart => chart.clips).length;
    page.dataset.theme = look().theme;
    fit();
  };
  const print = isPrinted => {
    page.classList.toggle('printed', isPrinted);
    draw();
  };
  window.addEventListener('resize', fit);
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
  dark.addEventListener('change', draw);
  draw();
}
