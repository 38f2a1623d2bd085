import { comparableNames } from '../../src/pytorch/comparable-names.js';

test.each([
  ['aten::add', 'aten::add'],
  ['ProfilerStep#4', 'ProfilerStep#12'],
  ['aten::add', 'aten::add.Tensor'],
  ['load C:\\data', 'load C:/data'],
  ['two\nlines', 'twolines'],
])('%j and %j mean the same op', (host, event) => {
  const names = comparableNames([host], [event]);
  expect(names.host[0]).toBe(names.event[0]);
});

test.each([
  ['aten::add', 'aten::add_'],
  ['Optimizer.step#SGD.step', 'Optimizer.step#Adam.step'],
  ['## forward ##', '## backward ##'],
  ['a.b', 'a.c'],
])('%j and %j do not', (host, event) => {
  const names = comparableNames([host], [event]);
  expect(names.host[0]).not.toBe(names.event[0]);
});
