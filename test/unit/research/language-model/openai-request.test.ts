import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OpenAiDialect } from '../../../../src/research/language-model/openai-request.ts';

const schema = { name: 'place', schema: { type: 'object', properties: {} } };
const options = { schema, maxTokens: 9, stop: ['\n'] };
const NO_SCHEMA = 'response_format json_schema is not supported';
const NO_JSON_MODE = 'response_format json_object is not supported';
const NO_LIMIT = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
const NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0";

describe('the dialect of a server', () => {
  const begin = () => {
    const dialect = new OpenAiDialect('127.0.0.1');
    return { dialect, request: () => dialect.request('tiny', [], options) };
  };
  type Request = ReturnType<ReturnType<typeof begin>['request']>;
  const modeOf = (request: Request) => request.response_format?.type ?? 'none';

  it('is learnt step by step where calls run one after the other', () => {
    const { dialect, request } = begin();
    assert.equal(modeOf(request()), 'json_schema');
    assert.equal(dialect.learn(400, NO_SCHEMA, request(), schema), true);
    assert.equal(modeOf(request()), 'json_object');
    assert.equal(dialect.learn(400, NO_JSON_MODE, request(), schema), true);
    assert.equal(modeOf(request()), 'none');
    assert.equal(dialect.learn(400, NO_JSON_MODE, request(), schema), false, 'nothing is left to try');
  });

  it('is learnt once where two calls are rejected at once', () => {
    const { dialect, request } = begin();
    const [one, other] = [request(), request()];
    assert.equal(dialect.learn(400, NO_SCHEMA, one, schema), true);
    assert.equal(dialect.learn(400, NO_SCHEMA, other, schema), true);
    assert.equal(modeOf(request()), 'json_object');
  });

  for (const [what, message, field] of [
    ['limit', NO_LIMIT, 'max_tokens'],
    ['temperature', NO_TEMPERATURE, 'temperature'],
    ['stop', "Unsupported parameter: 'stop'", 'stop'],
  ] as const)
    it(`lets two calls go on whose ${what} is rejected at once, and keeps the schema`, () => {
      const { dialect, request } = begin();
      const [one, other] = [request(), request()];
      assert.equal(dialect.learn(400, message, one, undefined), true);
      assert.equal(dialect.learn(400, message, other, undefined), true);
      assert.ok(!(field in request()));
      assert.equal(modeOf(request()), 'json_schema');
      assert.equal(dialect.learn(400, message, request(), undefined), false, 'it is not sent any more');
    });

  it('does not swap the limit back and forth', () => {
    const { dialect, request } = begin();
    assert.equal(dialect.learn(400, NO_LIMIT, request(), undefined), true);
    assert.equal(dialect.learn(400, "unknown field 'max_completion_tokens'", request(), undefined), false);
    assert.ok('max_completion_tokens' in request());
  });

  it('is not learnt from other failures', () => {
    const { dialect, request } = begin();
    for (const status of [401, 404, 429, 500]) assert.equal(dialect.learn(status, 'no', request(), schema), false);
    assert.equal(modeOf(request()), 'json_schema');
  });
});
