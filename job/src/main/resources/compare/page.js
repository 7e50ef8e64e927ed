'use strict';
(() => {
  const {target, runs} = JSON.parse(document.getElementById('data').textContent);
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  // Told apart by readers who see colours differently, too; and by dashes and points besides.
  const colours = {
    light: ['#0072b2', '#d55e00', '#009e73', '#b5459a', '#9a6b00', '#3f51b5', '#c62828', '#5f6b76'],
    dark: ['#56b4e9', '#ff9248', '#2fd0a0', '#e58bd0', '#f0c94a', '#9fa8ff', '#ff7b7b', '#b6c0ca'],
  };
  const shares = {
    light: ['#0072b2', '#c4ccd4', '#d55e00'],
    dark: ['#56b4e9', '#4a535d', '#ff9248'],
  };
  const points = ['circle', 'rect', 'triangle', 'rectRot'];
  const charts = [];

  const megabytes = bytes => bytes / 1e6;
  const percent = (value, digits) => (100 * value).toFixed(digits) + ' %';

  function line(run, index, x, y, theme) {
    const colour = colours[theme][index % colours[theme].length];
    const round = Math.floor(index / colours[theme].length);
    return {
      label: run.name,
      data: run.epochs.map(epoch => ({x: x(epoch), y: y(epoch)})),
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: 2,
      borderDash: [[], [6, 3], [2, 2]][round % 3],
      pointStyle: points[index % points.length],
      pointRadius: 3.5,
    };
  }

  /** Where runs were to get: a line without points across the whole plot. */
  function goal(x, colour) {
    const ends = runs.flatMap(run => run.epochs.map(x));
    return {
      label: 'target',
      data: [{x: Math.min(...ends), y: target}, {x: Math.max(...ends), y: target}],
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: 1,
      borderDash: [4, 4],
      pointStyle: 'line',
      pointRadius: 0,
      pointHitRadius: 0,
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

  function plotLines(id, xTitle, x, yTitle, y, format, withGoal, css, theme) {
    const datasets = runs.map((run, index) => line(run, index, x, y, theme));
    if (withGoal && target !== null && runs.length > 0) {
      datasets.push(goal(x, css('--faint')));
    }
    const epochs = xTitle === 'epoch';
    const scales = {
      x: {...axis(xTitle, css, epochs ? {precision: 0} : {}), beginAtZero: !epochs},
      y: {...axis(yTitle, css, {callback: value => format(value)}), beginAtZero: !withGoal},
    };
    const label = item =>
        `${item.dataset.label}: ${format(item.parsed.y)} at ${xTitle} ${+item.parsed.x.toFixed(1)}`;
    charts.push(new Chart(document.getElementById(id), {
      type: 'line',
      data: {datasets},
      options: options(css, scales, label),
    }));
  }

  function plotShares(css, theme) {
    const names = ['computing', 'waiting', 'exchanging'];
    const x = axis('share of time, without evaluations', css, {callback: value => percent(value, 0)});
    const scales = {
      x: {...x, stacked: true, min: 0, max: 1},
      y: {stacked: true, grid: {display: false}, ticks: {color: css('--text')}},
    };
    const label = item => `${item.dataset.label}: ${percent(item.parsed.x, 1)}`;
    const settings = options(css, scales, label);
    settings.plugins.legend.labels.pointStyle = 'rect';
    charts.push(new Chart(document.getElementById('shares'), {
      type: 'bar',
      data: {
        labels: runs.map(run => run.name),
        datasets: names.map((name, index) => ({
          label: name,
          data: runs.map(run => run.shares[index]),
          backgroundColor: shares[theme][index],
          maxBarThickness: 36,
        })),
      },
      options: {...settings, indexAxis: 'y'},
    }));
  }

  function plot() {
    charts.splice(0).forEach(chart => chart.destroy());
    const style = getComputedStyle(document.documentElement);
    const css = name => style.getPropertyValue(name).trim();
    const theme = dark.matches ? 'dark' : 'light';
    const accuracy = value => percent(value, 1);
    const volume = value => value.toLocaleString('en', {maximumFractionDigits: 1}) + ' MB';
    const seconds = epoch => epoch.seconds;
    plotLines('accuracy-over-time', 'seconds', seconds, 'test accuracy', epoch => epoch.accuracy,
        accuracy, true, css, theme);
    plotLines('accuracy-over-epochs', 'epoch', epoch => epoch.epoch, 'test accuracy',
        epoch => epoch.accuracy, accuracy, true, css, theme);
    plotLines('bytes-over-time', 'seconds', seconds, 'sent per worker',
        epoch => megabytes(epoch.bytesPerWorker), volume, false, css, theme);
    plotShares(css, theme);
    document.documentElement.dataset.plots = charts.length;
  }

  dark.addEventListener('change', plot);
  plot();
})();
