import type { LocalIndexService } from '../indexer/create-index-service.ts';
import type { ChainLearner } from '../retrieval/heads/chain-learner.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { Handlers } from './serve-requests.ts';

/** Requests of the index process, answered by the service, the retriever over it, and what learns beside them. */
export function indexHandlers(index: LocalIndexService, retriever: Retriever, learner: ChainLearner): Handlers {
  return {
    'index.open': ([config]) => index.open(config),
    'index.update': ([options], signal) => index.update(options, signal),
    'index.filesChanged': ([uris], signal) => index.filesChanged(uris, signal),
    'index.importPassages': ([passages], signal) => index.importPassages(passages, signal),
    'index.pause': () => index.pause(),
    'index.resume': () => index.resume(),
    'index.state': () => index.state(),
    'index.report': () => index.report(),
    'index.passagesOf': ([path]) => index.passagesOf(path),
    'index.close': () => index.close(),
    'retriever.search': ([query, options], signal) => retriever.search(query, options, signal),
    'retriever.chains': ([question, options], signal) => retriever.chains(question, options, signal),
    'retriever.connect': ([from, to, options], signal) => retriever.connect(from, to, options, signal),
    'retriever.passages': ([ids]) => retriever.passages(ids),
    'retriever.embed': ([texts], signal) => retriever.embed(texts, signal),
    'retriever.read': ([question, ids], signal) => retriever.read(question, ids, signal),
    'learner.train': ([trails, seed], signal) => learner.train(trails, seed, signal),
    'learner.score': ([weights, trails], signal) => learner.score(weights ?? undefined, trails, signal),
    'learner.use': ([weights]) => learner.use(weights ?? undefined),
  };
}
