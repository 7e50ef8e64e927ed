'use strict';
(() => {
  const {score, isShare, target, epochs, speeds, faults, written, refreshSeconds} = JSON.parse(document.getElementById('data').textContent);
  const charts = [];

  /** Vertical lines at the times of faults. */
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

  function draw(id, datasets, scales, words, css, plugins, legend) {
    const settings = options(css, scales);
    settings.plugins.legend.display = legend;
    charts.push(plotted(id, {type: 'line', data: {datasets}, options: settings, plugins}, words));
  }

  /** All plots over time have the same axis, so that they can be compared. */
  function time(css) {
    const ends = [...epochs, ...speeds, ...faults].map(moment => moment.seconds);
    const least = ends.reduce((one, other) => Math.min(one, other), Infinity);
    const most = ends.reduce((one, other) => Math.max(one, other), 1);
    return {...axis('seconds', css), min: least > most / 2 && least < most ? Math.floor(least) : 0, max: Math.ceil(most)};
  }

  function plotShares(css, theme) {
    const y = axis('share of time', css, {callback: value => percent(value, 0)});
    const scales = {
      x: {stacked: true, grid: {display: false}, title: {display: true, text: 'epoch', color: css('--faint')},
        ticks: {color: css('--text')}},
      y: {...y, stacked: true, min: 0, max: 1},
    };
    const settings = options(css, scales);
    settings.plugins.legend.labels.pointStyle = 'rect';
    const data = {labels: epochs.map(epoch => epoch.epoch), datasets: shareSets(epochs, theme, css)};
    const words = (share, index) => `${percent(share.y, 1)} in epoch ${epochs[index].epoch}`;
    charts.push(plotted('shares', {type: 'bar', data, options: settings}, words));
  }

  function plot() {
    charts.splice(0).forEach(chart => chart.destroy());
    const {css, theme} = look();
    const number = value => +value.toPrecision(3);
    const whole = value => Math.round(value).toLocaleString('en');
    const marks = moments(css('--warning'));
    const timed = format => point => `${format(point.y)} at ${point.x.toFixed(1)} s`;

    const scores = {...axis(score, css, {callback: isShare ? percentTick : number})};
    if (target !== null) {
      scores.suggestedMin = target;
      scores.suggestedMax = target;
    }
    const points = epochs.map(epoch => ({x: epoch.seconds, y: epoch.score}));
    const goals = target === null ? [] : [goal(css('--faint'), target)];
    const inDigits = isShare ? value => percent(value, 2) : value => value.toFixed(4);
    draw('score', [line(score, points, 0, theme)], {x: time(css), y: scores}, timed(inDigits), css, [marks, ...goals],
        false);

    const rates = speeds.map(speed => ({x: speed.seconds, y: speed.samplesPerSecond}));
    const speed = {...axis('samples/s', css, {callback: whole, precision: 0}), beginAtZero: true};
    draw('speed', [{...line('samples/s', rates, 0, theme), pointRadius: 0}], {x: time(css), y: speed},
        timed(whole), css, [marks], false);

    const losses = [
      line('training', epochs.map(epoch => ({x: epoch.epoch, y: epoch.trainLoss})), 0, theme),
      {...line(score.split(' ')[0], epochs.map(epoch => ({x: epoch.epoch, y: epoch.testLoss})), 1, theme), borderDash: dashes[1]},
    ];
    if (epochs.some(epoch => epoch.drifts)) {
      const {pointRadius: plain, borderColor} = losses[0];
      losses[0].pointRadius = epochs.map((epoch, index) => epoch.drifts ? 6 : plain[index]);
      losses[0].pointBackgroundColor = epochs.map(epoch => epoch.drifts ? css('--warning') : borderColor);
    }
    const loss = {...axis('loss', css, {callback: number}), beginAtZero: true};
    draw('loss', losses, {x: axis('epoch', css, {precision: 0}), y: loss},
        point => `${number(point.y)} after epoch ${point.x}`, css, [], true);

    plotShares(css, theme);
    return charts;
  }

  /**
   * Reloads the page while the run is under way: a local file cannot load its new version in any
   * other way. A reload moves a screen reader to the beginning and takes the focus away, so it waits
   * while the reader uses the page, and stops on request. The address keeps that request.
   */
  function keepUpToDate() {
    const updates = document.querySelector('.updates');
    const button = updates.querySelector('button');
    const isPaused = () => location.hash === '#paused';
    const show = () => {
      button.textContent = isPaused() ? 'Resume updates' : 'Pause updates';
    };
    const reloadIfIdle = () => {
      if (!isPaused() && document.activeElement === document.body && getSelection().isCollapsed) {
        location.reload();
      }
    };
    button.addEventListener('click', () => {
      const resumes = isPaused();
      location.replace(resumes ? '#' : '#paused');
      show();
      if (resumes) {
        location.reload();
      }
    });
    show();
    updates.hidden = false;
    setInterval(reloadIfIdle, 1000 * refreshSeconds);
  }

  if (refreshSeconds !== null) {
    keepUpToDate();
    // The process that writes the page may have been killed.
    const silentSeconds = (Date.now() - written) / 1000;
    if (silentSeconds > 60) {
      document.querySelector('.state').append(`; no update for ${Math.round(silentSeconds / 60)} min: the run may have ended`);
    }
  }
  drawn(plot, '.wide');
})();
