'use strict';
(() => {
  const {score, isShare, target, epochs, speeds, faults, written, isUnderWay} = JSON.parse(document.getElementById('data').textContent);
  /** More would hide the line. */
  const mostMarkers = 25;
  const charts = [];

  /** When faults took effect. */
  function moments(colour) {
    return {
      id: 'moments',
      beforeDatasetsDraw({ctx, chartArea, scales}) {
        ctx.save();
        ctx.strokeStyle = colour;
        ctx.setLineDash([2, 3]);
        for (const fault of faults) {
          const x = scales.x.getPixelForValue(fault.seconds);
          if (x >= chartArea.left && x <= chartArea.right) {
            ctx.beginPath();
            ctx.moveTo(x, chartArea.top);
            ctx.lineTo(x, chartArea.bottom);
            ctx.stroke();
          }
        }
        ctx.restore();
      },
    };
  }

  function line(label, points, colour) {
    return {
      label,
      data: points,
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: 2,
      pointRadius: points.length <= mostMarkers ? 3 : 0,
      pointHitRadius: 6,
      clip: 5,
    };
  }

  function draw(id, datasets, scales, format, css, plugins, legend) {
    const label = item => `${item.dataset.label}: ${format(item.parsed.y)}`;
    const settings = options(css, scales, label);
    settings.plugins.legend.display = legend;
    charts.push(new Chart(document.getElementById(id), {
      type: 'line',
      data: {datasets},
      options: settings,
      plugins,
    }));
  }

  /** All plots over time have the same axis, so that one can look from one to the other. */
  function time(css) {
    const ends = [...epochs, ...speeds, ...faults].map(moment => moment.seconds);
    const least = ends.reduce((one, other) => Math.min(one, other), Infinity);
    const most = ends.reduce((one, other) => Math.max(one, other), 1);
    return {...axis('seconds', css), min: least > most / 2 && least < most ? Math.floor(least) : 0, max: Math.ceil(most)};
  }

  function plotShares(css, theme) {
    const y = axis('share of time, without evaluations', css, {callback: value => percent(value, 0)});
    const scales = {
      x: {stacked: true, grid: {display: false}, title: {display: true, text: 'epoch', color: css('--faint')},
        ticks: {color: css('--text')}},
      y: {...y, stacked: true, min: 0, max: 1},
    };
    const settings = options(css, scales, item => `${item.dataset.label}: ${percent(item.parsed.y, 1)}`);
    settings.plugins.legend.labels.pointStyle = 'rect';
    charts.push(new Chart(document.getElementById('shares'), {
      type: 'bar',
      data: {
        labels: epochs.map(epoch => epoch.epoch),
        datasets: shareSets(epochs, theme),
      },
      options: settings,
    }));
  }

  function plot() {
    charts.splice(0).forEach(chart => chart.destroy());
    const {css, theme} = look();
    const [first, second] = colours[theme];
    const oneDigit = value => percent(value, 1);
    const number = value => +value.toPrecision(3);
    const whole = value => Math.round(value).toLocaleString('en');
    const marks = moments(css('--warning'));

    const scores = {...axis(score, css, {callback: isShare ? oneDigit : number})};
    if (target !== null) {
      scores.suggestedMin = target;
      scores.suggestedMax = target;
    }
    const points = epochs.map(epoch => ({x: epoch.seconds, y: epoch.score}));
    const goals = target === null ? [] : [goal(css('--faint'), target)];
    draw('score', [line(score, points, first)], {x: time(css), y: scores},
        isShare ? value => percent(value, 2) : value => value.toFixed(4), css, [marks, ...goals], false);

    const rates = speeds.map(speed => ({x: speed.seconds, y: speed.samplesPerSecond}));
    const speed = {...axis('samples/s', css, {callback: whole, precision: 0}), beginAtZero: true};
    draw('speed', [{...line('samples/s', rates, first), pointRadius: 0}], {x: time(css), y: speed},
        whole, css, [marks], false);

    const losses = [
      line('training', epochs.map(epoch => ({x: epoch.epoch, y: epoch.trainLoss})), first),
      line(score.split(' ')[0], epochs.map(epoch => ({x: epoch.epoch, y: epoch.testLoss})), second),
    ];
    if (epochs.some(epoch => epoch.drifts)) {
      const plain = losses[0].pointRadius;
      losses[0].pointRadius = epochs.map(epoch => epoch.drifts ? 6 : plain);
      losses[0].pointBackgroundColor = epochs.map(epoch => epoch.drifts ? css('--warning') : first);
    }
    const loss = {...axis('loss', css, {callback: number}), beginAtZero: true};
    draw('loss', losses, {x: axis('epoch', css, {precision: 0}), y: loss}, number, css, [], true);

    plotShares(css, theme);
    return charts;
  }

  /** Whoever writes the page may have been killed. */
  const silentSeconds = (Date.now() - written) / 1000;
  if (isUnderWay && silentSeconds > 60) {
    document.querySelector('.state').append(`; no update for ${Math.round(silentSeconds / 60)} min: the run may have ended`);
  }
  drawn(plot, '.wide');
})();
