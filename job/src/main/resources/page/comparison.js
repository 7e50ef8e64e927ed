'use strict';
(() => {
  const {score, isShare, target, runs} = JSON.parse(document.getElementById('data').textContent);
  const styles = ['circle', 'rect', 'triangle', 'rectRot'];
  /** More would hide the line. */
  const mostMarkers = 25;
  /** More runs than colours have their names at their lines, too, where there is room. */
  const mostColours = colours.light.length;
  const roomForNames = 420;
  const endFont = '11px system-ui, sans-serif';
  const charts = [];

  function line(run, index, points, x, y, theme) {
    const colour = colours[theme][index % mostColours];
    const round = Math.floor(index / mostColours);
    const markers = run.epochs.length <= mostMarkers;
    return {
      label: short(run.name),
      data: run[points].map(point => ({x: x(point), y: y(point)})),
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: 2,
      borderDash: [[], [6, 3], [2, 2]][round % 3],
      pointStyle: styles[(index + round) % styles.length],
      pointRadius: markers ? 3.5 : 0,
      pointHitRadius: 6,
      clip: 5,
    };
  }

  /** The names of runs at the ends of their lines, moved apart where they would overlap. */
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

  /** What share each part of a bar is, where there is room to say so. */
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
    const {id, x, y, format} = plot;
    const datasets = runs.map((run, index) => line(run, index, y.points ?? 'epochs', x.of, y.of, theme));
    const scales = {
      x: {...axis(x.title, css, x.whole ? {precision: 0} : {}), beginAtZero: !x.whole},
      y: {...axis(y.title, css, {callback: value => format(value)}), beginAtZero: y.fromZero},
    };
    const label = item =>
        `${item.dataset.label}: ${format(item.parsed.y)} at ${x.title} ${+item.parsed.x.toFixed(1)}`;
    const settings = options(css, scales, label);
    const plugins = [];
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
    charts.push(new Chart(document.getElementById(id), {
      type: 'line',
      data: {datasets},
      options: settings,
      plugins,
    }));
  }

  function plotShares(css, theme) {
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
        labels: runs.map(run => short(run.name)),
        datasets: shareSets(runs, theme),
      },
      options: {...settings, indexAxis: 'y'},
      plugins: [percentages],
    }));
  }

  function plot() {
    charts.splice(0).forEach(chart => chart.destroy());
    const {css, theme} = look();
    const most = Math.max(0, ...runs.flatMap(run => run.epochs.map(epoch => epoch.bytesPerWorker)));
    const [unit, bytes] = most < 1e10 ? ['MB', 1e6] : ['GB', 1e9];
    const seconds = {title: 'seconds', of: epoch => epoch.seconds};
    const epochs = {title: 'epoch', of: epoch => epoch.epoch, whole: true};
    const figure = {title: score, of: point => point.score, points: 'scores', hasTarget: true};
    const loss = {title: 'test loss', of: epoch => epoch.loss, fromZero: true};
    const sent = {title: 'sent per worker', of: epoch => epoch.bytesPerWorker / bytes, fromZero: true};
    const oneDigit = value => percent(value, 1);
    const volume = value => value.toLocaleString('en', {maximumFractionDigits: 1}) + ' ' + unit;
    const number = value => +value.toPrecision(3);
    [
      {id: 'score-over-time', x: seconds, y: figure, format: isShare ? oneDigit : number},
      {id: 'score-over-epochs', x: epochs, y: figure, format: isShare ? oneDigit : number},
      {id: 'loss-over-epochs', x: epochs, y: loss, format: number},
      {id: 'bytes-over-time', x: seconds, y: sent, format: volume},
    ].forEach(plot => plotLines(plot, css, theme));
    plotShares(css, theme);
    document.documentElement.dataset.unit = unit;
    document.documentElement.dataset.named = charts.filter(chart => chart.showsNames).length;
    return charts;
  }

  drawn(plot, '.wide');
})();
