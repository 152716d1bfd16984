import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { DatasetError, loadQuestions, requireData } from '../../../lab/evaluation/dataset.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const gone = path.join(temporaryFolder(), 'nowhere');

describe('data that experiments lack', () => {
  it('is named with the way to name it and where each public set comes from, where the folder is missing', () => {
    assert.throws(
      () => requireData(gone),
      (error: unknown) => {
        assert.ok(error instanceof DatasetError);
        for (const said of [
          `no data folder at ${gone}`,
          '--data or HOPTRAIL_DATA',
          'musique.jsonl  https://github.com/StonyBrookNLP/musique',
          'hotpotqa.jsonl  https://hotpotqa.github.io',
          '2wikimultihopqa.jsonl  https://github.com/Alab-NII/2wikimultihop',
          'multihop-rag.jsonl  https://github.com/yixuantt/MultiHop-RAG',
          'flask.jsonl  https://github.com/peng-weihan/SWE-QA-Bench',
          'lab/EXPERIMENTS.md',
        ])
          assert.ok(error.message.includes(said), `${said} in ${error.message}`);
        return true;
      },
    );
    requireData(path.dirname(gone));
  });

  it('is told of where a file of a set is missing, and of no other file', () => {
    const advice = (name: string): string => {
      try {
        loadQuestions(path.join(gone, name));
      } catch (error) {
        return (error as DatasetError).advice ?? '';
      }
      return '';
    };
    assert.match(advice('musique.jsonl'), /^This set comes from https:.*musique\. Name a file/);
    assert.match(advice('multihop-rag.corpus.jsonl'), /^This set comes from .*MultiHop-RAG\./);
    assert.match(advice('mine.jsonl'), /^Name a file with one JSON object a line/);
  });
});
