'use strict';
// What the pages' own scripts have in common.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
// Told apart by readers who see colours differently, too; and by dashes and points besides.
const colours = {
  light: ['#0072b2', '#d55e00', '#009e73', '#b5459a', '#9a6b00', '#3f51b5', '#c62828', '#5f6b76'],
  dark: ['#56b4e9', '#ff9248', '#2fd0a0', '#e58bd0', '#f0c94a', '#9fa8ff', '#ff7b7b', '#b6c0ca'],
};
// Colours that no run has; what is written on them.
const shares = {
  light: [['#4a3f78', '#ffffff'], ['#d3cfe2', '#1c2128'], ['#8377b5', '#ffffff']],
  dark: [['#c3b9f0', '#14171c'], ['#3f3a52', '#e6e9ed'], ['#7f72b3', '#ffffff']],
};

const percent = (value, digits) => (100 * value).toFixed(digits) + ' %';

/** The end of a long name may tell it from others. */
const short = name => name.length <= 28 ? name : name.slice(0, 13) + '…' + name.slice(-14);

/** How wide the widest of some texts is. */
function widest(texts, font) {
  const ctx = document.createElement('canvas').getContext('2d');
  ctx.font = font;
  return Math.max(0, ...texts.map(text => ctx.measureText(text).width));
}

/** Writes a text, and notes whether a part of it is beyond the plot's edges. */
function write(chart, text, x, y) {
  const {ctx} = chart;
  const {width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down} = ctx.measureText(text);
  chart.clips ||= x < 0 || x + width > chart.width || y - up < 0 || y + down > chart.height;
  ctx.fillText(text, x, y);
}

/** Where runs were to get: across the whole plot, with its name. */
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
      write(chart, `target ${+(100 * target).toFixed(4)} %`, chartArea.left + 6, y + (isAtTop ? 4 : -2));
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

function options(css, scales, label) {
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: {mode: 'nearest', intersect: false},
    scales,
    plugins: {
      legend: {position: 'bottom', labels: {usePointStyle: true, boxWidth: 7, boxHeight: 7, color: css('--text')}},
      tooltip: {callbacks: {label}},
    },
  };
}

/** What workers' time went into, of runs or epochs: one set of bars for each part. */
function shareSets(items, theme) {
  return ['computing', 'waiting', 'exchanging'].map((part, index) => ({
    label: part,
    data: items.map(item => item.shares[index]),
    backgroundColor: shares[theme][index][0],
    ink: shares[theme][index][1],
    maxBarThickness: 36,
  }));
}

/** The page's own colours, light or dark as the reader has it. */
function look() {
  const style = getComputedStyle(document.documentElement);
  return {css: name => style.getPropertyValue(name).trim(), theme: dark.matches ? 'dark' : 'light'};
}

/** Where a line of text ends within a word, a part of it is elsewhere. */
function breaksAWord(element) {
  const text = element.firstChild;
  const range = document.createRange();
  return [...text.data.matchAll(/\S+/g)].some(({0: word, index}) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  });
}

/** Whether what stands first in each row is still to be seen when the rest is scrolled away. */
function holdsFirstColumn(wide) {
  const before = wide.scrollLeft;
  wide.scrollLeft = wide.scrollWidth;
  const first = wide.querySelector('thead th').getBoundingClientRect();
  const holds = Math.abs(first.left - wide.getBoundingClientRect().left) < 1;
  wide.scrollLeft = before;
  return holds;
}

/**
 * Draws the plots, again whenever the reader turns to light or dark; and says what a test of the
 * page's text cannot see.
 */
function drawn(plot, place) {
  const page = document.documentElement;
  const wide = document.querySelector(place);
  const hint = document.querySelector('.hint');
  const fit = () => {
    hint.hidden = wide.scrollWidth <= wide.clientWidth;
    page.dataset.scrolls = wide.scrollWidth > wide.clientWidth;
    page.dataset.hint = hint.offsetHeight > 0;
    page.dataset.wider = page.scrollWidth > page.clientWidth;
    page.dataset.holdsFirst = holdsFirstColumn(wide);
    page.dataset.brokenHeaders = [...wide.querySelectorAll('thead th')].filter(breaksAWord).length;
  };
  const draw = () => {
    const charts = plot();
    const lines = charts.filter(chart => chart.config.type === 'line').flatMap(chart => chart.data.datasets);
    page.dataset.plots = charts.length;
    page.dataset.lines = lines.length;
    page.dataset.dashed = lines.filter(line => line.borderDash?.length > 0).length;
    page.dataset.unmarked = lines.filter(line => line.pointRadius === 0).length;
    page.dataset.goals = charts.filter(chart => chart.showsGoal).length;
    page.dataset.clipped = charts.filter(chart => chart.clips).length;
    page.dataset.theme = look().theme;
    fit();
  };
  window.addEventListener('resize', fit);
  dark.addEventListener('change', draw);
  draw();
}
