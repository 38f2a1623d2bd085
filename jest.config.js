import { availableParallelism } from 'node:os';

export default {
  // The suites wait for child processes often enough to keep two workers busy on two cores, where jest takes one.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  testEnvironment: 'node',
  roots: ['<rootDir>/dist/test'],
  testMatch: ['**/*.test.js'],
  transform: {},
  testTimeout: 60000,
};
