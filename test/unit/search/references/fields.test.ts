import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ReferenceKind } from '../../../../src/search/domain/reference-answer.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { indexOf } from './program-of.ts';

/** Files of one language, and the lines that set and read the field `timeout` of `Config`; tests come last. */
const LANGUAGES: Record<string, { files: Record<string, string>; symbol?: string; sets: string[]; reads: string[] }> = {
  TypeScript: {
    files: {
      'config.ts': 'export interface Config {\n  timeout: number;\n}\n',
      'shop.ts': [
        "import type { Config } from './config.ts';",
        'const standard: Config = { timeout: 30 };',
        'export class Shop {',
        '  constructor(private readonly config: Config) {}',
        '  open(given: { config: Config }) {',
        '    this.config.timeout = 3;',
        '    const config = this.config;',
        '    return this.config.timeout + config.timeout;',
        '  }',
        '}',
      ].join('\n'),
    },
    sets: ['shop.ts:2', 'shop.ts:6'],
    reads: ['shop.ts:8'],
  },
  Python: {
    files: {
      'config.py': 'class Config:\n    def __init__(self, timeout):\n        self.timeout = timeout\n',
      'shop.py': [
        'from config import Config',
        'def open(config: Config):',
        '    other = Config(timeout=3)',
        '    config.timeout += 1',
        '    return wait(other.timeout)',
        'class Shop:',
        '    def __init__(self, config: Config):',
        '        self.config: Config = config',
        '    def shut(self):',
        '        config = self.config',
        '        return config.timeout',
      ].join('\n'),
    },
    sets: ['config.py:3', 'shop.py:3', 'shop.py:4'],
    reads: ['shop.py:5', 'shop.py:11'],
  },
  Go: {
    files: {
      'shop/config.go': 'package shop\ntype Config struct {\n\tTimeout int\n}\n',
      'shop/shop.go': [
        'package shop',
        'func Standard() *Config {',
        '\treturn &Config{Timeout: 30}',
        '}',
        'func Open(c *Config) int {',
        '\tc.Timeout = 3',
        '\tother := Standard()',
        '\tother.Timeout++',
        '\treturn other.Timeout',
        '}',
      ].join('\n'),
    },
    symbol: 'Config.Timeout',
    sets: ['shop/shop.go:3', 'shop/shop.go:6', 'shop/shop.go:8'],
    reads: ['shop/shop.go:9'],
  },
  Rust: {
    files: {
      'src/config.rs': [
        'pub struct Config { pub timeout: u32 }',
        "pub struct Context<'a> { pub config: &'a Config }",
        'impl Config {',
        '  pub fn new() -> Self { Self { timeout: 30 } }',
        '}',
      ].join('\n'),
      'src/shop.rs': [
        'use crate::config::{Config, Context};',
        'pub fn open(context: &Context, given: &mut Config) -> u32 {',
        '  given.timeout += 3;',
        '  let config = &context.config;',
        '  let other = Config { timeout: 1 };',
        '  config.timeout + context.config.timeout',
        '}',
      ].join('\n'),
      'src/lib.rs': 'mod config;\nmod shop;\n',
    },
    sets: ['src/config.rs:4', 'src/shop.rs:3', 'src/shop.rs:5'],
    reads: ['src/shop.rs:6'],
  },
  Java: {
    files: {
      'shop/Config.java': 'package shop;\nclass Config {\n  int timeout;\n  int get() { return timeout; }\n}\n',
      'shop/Shop.java': [
        'package shop;',
        'class Shop {',
        '  int open(Config config) {',
        '    var other = new Config();',
        '    config.timeout = 3;',
        '    return other.timeout;',
        '  }',
        '}',
      ].join('\n'),
    },
    sets: ['shop/Shop.java:5'],
    reads: ['shop/Config.java:4', 'shop/Shop.java:6'],
  },
  'C#': {
    files: {
      'Config.cs': 'public class Config {\n  public Config() {}\n  public int Timeout { get; set; }\n}\n',
      'Shop.cs': [
        'class Shop {',
        '  readonly Config? _config;',
        '  int Open() {',
        '    var other = new Config { Timeout = 3 };',
        '    other.Timeout = 4;',
        '    return _config.Timeout;',
        '  }',
        '}',
      ].join('\n'),
    },
    symbol: 'Config.Timeout',
    sets: ['Shop.cs:4', 'Shop.cs:5'],
    reads: ['Shop.cs:6'],
  },
  C: {
    files: {
      'config.h': 'struct config {\n  int timeout;\n};\n',
      'shop.c': [
        '#include "config.h"',
        'static struct config standard = { .timeout = 30 };',
        'int open_shop(struct config *given) {',
        '  given->timeout = 3;',
        '  return given->timeout;',
        '}',
      ].join('\n'),
    },
    symbol: 'config.timeout',
    sets: ['shop.c:2', 'shop.c:4'],
    reads: ['shop.c:5'],
  },
  'C++': {
    files: {
      'config.hpp': 'class Config {\npublic:\n  int timeout;\n};\n',
      'shop.cpp': [
        '#include "config.hpp"',
        'int open_shop(Config &given) {',
        '  given.timeout = 3;',
        '  return given.timeout;',
        '}',
      ].join('\n'),
    },
    sets: ['shop.cpp:3'],
    reads: ['shop.cpp:4'],
  },
  PHP: {
    files: {
      'src/Config.php':
        '<?php\nclass Config {\n  public int $timeout = 1;\n  function get() { return $this->timeout; }\n}\n',
      'src/Shop.php': [
        '<?php',
        'class Shop {',
        '  function open(Config $config) {',
        '    $config->timeout = 3;',
        '    return $config->timeout;',
        '  }',
        '}',
      ].join('\n'),
    },
    sets: ['src/Shop.php:4'],
    reads: ['src/Config.php:4', 'src/Shop.php:5'],
  },
  Ruby: {
    files: {
      'config.rb': [
        'class Config',
        '  attr_accessor :name,',
        '    :timeout',
        '  def initialize(timeout)',
        '    @timeout = timeout',
        '  end',
        '  def wait',
        '    sleep(@timeout)',
        '  end',
        'end',
      ].join('\n'),
      'shop.rb': ['def open', '  config = Config.new(3)', '  config.timeout = 4', '  config.timeout', 'end'].join('\n'),
    },
    sets: ['config.rb:5', 'shop.rb:3'],
    reads: ['config.rb:8', 'shop.rb:4'],
  },
  Kotlin: {
    files: {
      'shop/Config.kt': 'package shop\nclass Config(var timeout: Int)\n',
      'shop/Shop.kt': [
        'package shop',
        'class Shop(val config: Config) {',
        '  fun open(given: Config): Int {',
        '    given.timeout = 3',
        '    Config(timeout = 4)',
        '    return given.timeout',
        '  }',
        '}',
      ].join('\n'),
    },
    sets: ['shop/Shop.kt:4', 'shop/Shop.kt:5'],
    reads: ['shop/Shop.kt:6'],
  },
  Swift: {
    files: {
      'Config.swift': 'struct Config {\n  var timeout: Int\n}\n',
      'Shop.swift': [
        'func open(given: Config) -> Int {',
        '  given.timeout = 3',
        '  _ = Config(timeout: 4)',
        '  return given.timeout',
        '}',
      ].join('\n'),
    },
    sets: ['Shop.swift:2', 'Shop.swift:3'],
    reads: ['Shop.swift:4'],
  },
};

describe('a field', () => {
  for (const [language, { files, symbol = 'Config.timeout', sets, reads }] of Object.entries(LANGUAGES))
    it(`of ${language} is found where it is set and where it is read`, async () => {
      const index = await indexOf(files);
      const places = async (kind: ReferenceKind): Promise<string[]> =>
        (await findReferences(index, { symbol, kind })).references.map(({ path, line }) => `${path}:${line}`);
      assert.deepEqual({ sets: await places('sets'), reads: await places('reads') }, { sets, reads });
    });
});
