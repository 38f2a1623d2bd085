import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // Library code throws or returns findings; only cli/ prints and only bin/ ends the process.
    files: ['src/**/*.ts'],
    ignores: ['src/cli/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'exit', message: 'throw instead; bin/ sets the exit status' },
        { object: 'process', property: 'stdout', message: 'only cli/ prints' },
        { object: 'process', property: 'stderr', message: 'only cli/ prints' },
      ],
    },
  },
);
