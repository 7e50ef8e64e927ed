'use strict';
(() => {
  const {score, isShare, target, runs} = JSON.parse(document.getElementById('data').textContent);
  /** More runs than colours have their names at their lines, too, in wide plots. */
  const mostColours = colours.light.length;
  const roomForNames = 420;
  const endFont = '11px system-ui, sans-serif';
  const charts = [];

  /** Names of runs at the ends of their lines, moved apart where they would overlap. */
  const names = {
    id: 'names',
    afterDatasetsDraw(chart) {
      const {ctx, chartArea, data} = chart;
      chart.showsNames = chart.width >= roomForNames;
      if (!chart.showsNames) {
        return;
      }
      const height = 13;
      const ends = data.datasets
          .map((set, index) => ({set, end: chart.getDatasetMeta(index).data.at(-1)}))
          .filter(line => line.end && chart.isDatasetVisible(data.datasets.indexOf(line.set)))
          .sort((one, other) => one.end.y - other.end.y);
      ctx.save();
      ctx.font = endFont;
      ctx.textBaseline = 'middle';
      let y = chartArea.top - height;
      const places = ends.map(({end}) => (y = Math.max(y + height, end.y)));
      let below = chartArea.bottom + height;
      for (let i = places.length - 1; i >= 0; i--) {
        below = Math.min(below - height, places[i]);
        ctx.fillStyle = ends[i].set.borderColor;
        write(chart, ends[i].set.label, chartArea.right + 6, below);
      }
      ctx.restore();
    },
  };

  /** The share of each part of a bar, in parts that are wide enough. */
  const percentages = {
    id: 'percentages',
    afterDatasetsDraw(chart) {
      const {ctx, data} = chart;
      ctx.save();
      ctx.font = '12px system-ui, sans-serif';
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      data.datasets.forEach((set, index) => {
        ctx.fillStyle = set.ink;
        if (!chart.isDatasetVisible(index)) {
          return;
        }
        chart.getDatasetMeta(index).data.forEach((bar, run) => {
          const text = percent(set.data[run], 0);
          if (bar.width > ctx.measureText(text).width + 6) {
            ctx.fillText(text, bar.x - bar.width / 2, bar.y);
          }
        });
      });
      ctx.restore();
    },
  };

  function plotLines(plot, css, theme) {
    const {id, x, y, format, tick} = plot;
    const datasets = runs.map((run, index) =>
        line(short(run.name), run[y.points ?? 'epochs'].map(point => ({x: x.of(point), y: y.of(point)})), index, theme));
    const scales = {
      x: {...axis(x.title, css, x.whole ? {precision: 0} : {}), beginAtZero: !x.whole},
      y: {...axis(y.title, css, {callback: value => tick(value)}), beginAtZero: y.fromZero},
    };
    const settings = options(css, scales);
    const plugins = [];
    const place = document.getElementById(id).parentNode;
    // A legend gets half of the height, and in a narrow plot each long name is a line.
    place.style.minHeight = place.clientWidth < roomForNames ? `${44 * runs.length}px` : '';
    if (y.hasTarget && target !== null) {
      scales.y.suggestedMin = target;
      scales.y.suggestedMax = target;
      plugins.push(goal(css('--faint'), target));
    }
    if (runs.length > mostColours) {
      const right = 10 + widest(datasets.map(set => set.label), endFont);
      settings.layout = {padding: ({chart}) => ({right: chart.width >= roomForNames ? right : 0})};
      plugins.push(names);
    }
    const words = point => `${format(point.y)} ${x.words(point.x)}`;
    charts.push(plotted(id, {type: 'line', data: {datasets}, options: settings, plugins}, words));
  }

  function plotShares(css, theme) {
    const x = axis('share of time', css, {callback: value => percent(value, 0)});
    // Two lines for a name in a narrow plot.
    const isNarrow = document.getElementById('shares').parentNode.clientWidth < roomForNames;
    const name = run => isNarrow ? short(run.name).match(/.{1,14}/gu) : short(run.name);
    const scales = {
      x: {...x, stacked: true, min: 0, max: 1},
      y: {stacked: true, grid: {display: false}, ticks: {color: css('--text')}},
    };
    const settings = {...options(css, scales), indexAxis: 'y'};
    settings.plugins.legend.labels.pointStyle = 'rect';
    const words = (share, run) => `${percent(share.x, 1)} with ${short(runs[run].name)}`;
    charts.push(plotted('shares', {
      type: 'bar',
      data: {labels: runs.map(name), datasets: shareSets(runs, theme, css)},
      options: settings,
      plugins: [percentages],
    }, words));
  }

  function plot() {
    charts.splice(0).forEach(chart => chart.destroy());
    const {css, theme} = look();
    const most = Math.max(0, ...runs.flatMap(run => run.epochs.map(epoch => epoch.bytesPerWorker)));
    const [unit, bytes] = most < 1e7 ? ['kB', 1e3] : most < 1e10 ? ['MB', 1e6] : ['GB', 1e9];
    const seconds = {title: 'seconds', of: epoch => epoch.seconds, words: x => `at ${x.toFixed(1)} s`};
    const epochs = {title: 'epoch', of: epoch => epoch.epoch, whole: true, words: x => `after epoch ${x}`};
    const figure = {title: score, of: point => point.score, points: 'scores', hasTarget: true};
    const loss = {title: 'test loss', of: epoch => epoch.loss, fromZero: true};
    const sent = {title: 'sent per worker', of: epoch => epoch.bytesPerWorker / bytes, fromZero: true};
    const twoDigits = value => percent(value, 2);
    const volume = value => value.toLocaleString('en', {maximumFractionDigits: 1}) + ' ' + unit;
    const number = value => +value.toPrecision(3);
    const scored = {y: figure, format: isShare ? twoDigits : number, tick: isShare ? percentTick : number};
    [
      {id: 'score-over-time', x: seconds, ...scored},
      {id: 'score-over-epochs', x: epochs, ...scored},
      {id: 'loss-over-epochs', x: epochs, y: loss, format: number, tick: number},
      {id: 'bytes-over-time', x: seconds, y: sent, format: volume, tick: volume},
    ].forEach(plot => plotLines(plot, css, theme));
    plotShares(css, theme);
    document.documentElement.dataset.unit = unit;
    document.documentElement.dataset.named = charts.filter(chart => chart.showsNames).length;
    return charts;
  }

  drawn(plot, '.wide');
})();
