import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRepository } from '../../doubles/repository-files.ts';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
  resolved?: string;
}

const { packages } = JSON.parse(readRepository('package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};

describe('package-lock.json', () => {
  it('names every platform’s optional packages, without which `npm ci` refuses it (scripts/complete-lockfile.mjs adds them)', () => {
    const locked = Object.keys(packages);
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !locked.some((key) => key.endsWith(`node_modules/${name}`)));
    assert.deepEqual(missing, []);
  });
  it('names no registry, so that everybody uses their own', () => {
    assert.deepEqual(
      Object.values(packages)
        .map(({ resolved }) => resolved)
        .filter((address) => address?.startsWith('http')),
      [],
    );
  });
});
