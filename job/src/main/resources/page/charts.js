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

/** Where runs were to get: across the whole plot, with its name. */
function goal(colour, target) {
  return {
    id: 'goal',
    afterDatasetsDraw({ctx, chartArea, scales}) {
      const y = scales.y.getPixelForValue(target);
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
      ctx.textBaseline = 'bottom';
      ctx.fillText(`target ${+(100 * target).toFixed(4)} %`, chartArea.left + 6, y - 2);
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

/**
 * Draws the plots, again whenever the reader turns to light or dark; and says what a test cannot
 * see: how many they are, and whether the page is wider than its window.
 */
function drawn(plot, wide) {
  const page = document.documentElement;
  const hint = () => {
    const table = document.querySelector(wide);
    document.querySelector('.hint').hidden = table.scrollWidth <= table.clientWidth;
    page.dataset.wider = page.scrollWidth > page.clientWidth;
  };
  const draw = () => {
    page.dataset.plots = plot();
    page.dataset.theme = look().theme;
    hint();
  };
  window.addEventListener('resize', hint);
  dark.addEventListener('change', draw);
  draw();
}
