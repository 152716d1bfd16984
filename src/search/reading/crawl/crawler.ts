import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileCause, plainly, causeInWords } from '../../domain/file-cause.ts';
import type { SkippedFile, SkipReason, SourceFile } from '../../domain/source-file.ts';
import type { ReadingOptions } from '../passage-source.ts';
import { errorCode, isGone, type EntryKind, type FileSystem } from '../file-system.ts';
import { isDocument } from '../formats/file-formats.ts';
import { readingLimits } from '../reading-limits.ts';
import { defaultExclusion, excludeMatcher, IgnoreRules, rulesInside } from './ignore-rules.ts';
import { GitIndexes } from './git-index.ts';
import { gitRulesAbove, type GitHome, type RulesAbove, trackedIn } from './git-excludes.ts';
import {
  isInside,
  relativePath,
  type RootFolder,
  rootFolders,
  rootOf,
  shownPath,
  UnreadableRootError,
  uriOf,
} from './root-paths.ts';

/**
 * A `file:` URI (without a slash at its end) at and below which nothing could be seen, so that nothing is known to be
 * gone there.
 */
interface Unseen {
  uri: string;
  /** Set when it is a whole root. */
  error?: UnreadableRootError;
}

/** What a walk comes upon. */
export type WalkEvent = { type: 'file'; file: SourceFile } | SkipEvent;
type SkipEvent = { type: 'skipped'; skipped: SkippedFile; unseen?: Unseen };

interface Entry {
  absolute: string;
  name: string;
  kind: EntryKind;
}

/** How many entries are asked for their size at once. */
const STATS_AT_ONCE = 64;

/** Walks the workspace's folders. What is left out is said with its reason; one bad entry never ends the walk. */
export class Crawler {
  readonly #roots: RootFolder[];
  readonly #excludedBy: (relative: string) => string | undefined;
  readonly #options: ReadingOptions;
  readonly #files: FileSystem;
  readonly #gitHome: GitHome;
  readonly #gitIndexes = new GitIndexes();

  constructor(options: ReadingOptions, files: FileSystem, gitHome: GitHome) {
    this.#options = options;
    this.#files = files;
    this.#gitHome = gitHome;
    this.#roots = rootFolders(options.roots);
    this.#excludedBy = excludeMatcher(options.excludeGlobs);
  }

  /** All roots, or the part below one folder of them; folder by folder, names in order. */
  async *crawl(signal?: AbortSignal, below?: string): AsyncGenerator<WalkEvent> {
    const start = below === undefined ? undefined : path.resolve(fileURLToPath(below));
    for (const root of this.#roots) {
      if (start === undefined || start === root.folder) {
        const { rules, overruled } = await this.#rulesOf(root);
        for (const file of overruled)
          yield skip(root, file, 'ignored', { code: 'overruled', details: { folder: root.folder } });
        yield* this.#crawlFolder(root, root.folder, rules, signal);
      } else if (rootOf(this.#roots, start) === root) {
        const above = await this.#judgeAncestors(root, start);
        if (!('rules' in above)) yield above;
        else if (await this.#isSpeltSo(root, start)) yield* this.#crawlFolder(root, start, above.rules, signal);
      }
    }
  }

  /** One path: the file, why it is left out, or undefined when it is gone, a folder, or outside of all roots. */
  async stat(uri: string): Promise<WalkEvent | undefined> {
    const absolute = path.resolve(fileURLToPath(uri));
    const root = rootOf(this.#roots, absolute);
    if (!root || absolute === root.folder) return undefined;
    let kind: EntryKind;
    try {
      kind = (await this.#files.stat(absolute)).kind;
    } catch (error) {
      return isGone(error) ? undefined : unseen(root, absolute, causeOf(error));
    }
    if (kind === 'folder') return undefined;
    const above = await this.#judgeAncestors(root, path.dirname(absolute));
    if (!('rules' in above)) return above;
    const entry: Entry = { absolute, name: path.basename(absolute), kind };
    const left = this.#leaveOut(root, entry, above.rules);
    if (left || kind === 'link') return left ?? this.#judgeLink(root, absolute);
    return (await this.#isSpeltSo(root, absolute)) ? this.#measure(root, entry) : undefined;
  }

  /**
   * False for a path that the disk spells with other capitals: where they make no difference, the old name of what was
   * renamed in them alone is answered for as well.
   */
  async #isSpeltSo(root: RootFolder, absolute: string): Promise<boolean> {
    try {
      const spelt = path.relative(await this.#files.realPath(root.folder), await this.#files.realPath(absolute));
      const asked = path.relative(root.folder, absolute);
      return spelt === asked || spelt.toLowerCase() !== asked.toLowerCase();
    } catch {
      return true; // gone meanwhile, or a link that leads nowhere: what is asked about it will say so
    }
  }

  /** The path as people see it; undefined outside of all roots. */
  shownPath(uri: string): string | undefined {
    const absolute = path.resolve(fileURLToPath(uri));
    const root = rootOf(this.#roots, absolute);
    return root && shownPath(root, absolute);
  }

  async #rulesOf(root: RootFolder): Promise<RulesAbove> {
    return this.#options.useGitignore
      ? gitRulesAbove(root.folder, this.#gitHome, this.#gitIndexes, this.#files)
      : { rules: new IgnoreRules(), overruled: [] };
  }

  /** The rules that hold inside a folder's parents, or why one of them is left out as a whole. */
  async #judgeAncestors(root: RootFolder, folder: string): Promise<{ rules: IgnoreRules } | WalkEvent> {
    let { rules } = await this.#rulesOf(root);
    const names = relativePath(root, folder).split('/').filter(Boolean);
    for (let i = 0; i <= names.length; i++) {
      const current = path.join(root.folder, ...names.slice(0, i));
      if (i > 0) {
        const kind = await this.#kindOf(current);
        const left = this.#leaveOut(root, { absolute: current, name: path.basename(current), kind }, rules);
        if (left) return left;
        if (kind === 'link') return skip(root, current, 'link-cycle', plainly('link-to-folder'));
      }
      rules = await this.#rulesInside(root, current, rules);
    }
    return { rules };
  }

  /**
   * The rules inside a folder, which may be a repository of its own.
   * @param names What the folder holds, where that is known.
   */
  async #rulesInside(
    root: RootFolder,
    folder: string,
    above: IgnoreRules,
    names?: ReadonlySet<string>,
  ): Promise<IgnoreRules> {
    const { useGitignore } = this.#options;
    const isRepository = useGitignore && folder !== root.folder && (names?.has('.git') ?? true);
    const tracked = isRepository ? await trackedIn(folder, this.#gitIndexes, this.#files) : undefined;
    const rules = tracked ? above.tracking(tracked) : above;
    return rulesInside(folder, shownPath(root, folder), rules, names, useGitignore, this.#files);
  }

  #kindOf(absolute: string): Promise<EntryKind> {
    return this.#files.stat(absolute).then(
      ({ kind }) => kind,
      () => 'folder' as const, // gone meanwhile: what is asked about it will say so
    );
  }

  async *#crawlFolder(
    root: RootFolder,
    top: string,
    above: IgnoreRules,
    signal?: AbortSignal,
  ): AsyncGenerator<WalkEvent> {
    const waiting: { folder: string; rules: IgnoreRules }[] = [{ folder: top, rules: above }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      signal?.throwIfAborted();
      const { folder } = next;
      let entries: Entry[];
      try {
        const listed = await this.#files.list(folder);
        entries = listed.map((entry) => ({ ...entry, absolute: path.join(folder, entry.name) }));
      } catch (error) {
        const event = await this.#notListed(root, folder, error);
        // Whoever asks for what lies below a place that is gone gets nothing.
        if (event.unseen || folder !== top) yield event;
        continue;
      }
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const names = new Set(entries.map((entry) => entry.name));
      const rules = await this.#rulesInside(root, folder, next.rules, names);
      const kept: Entry[] = [];
      const folders: { folder: string; rules: IgnoreRules }[] = [];
      for (const entry of entries) {
        const left = this.#leaveOut(root, entry, rules);
        if (left) yield left;
        else if (entry.kind !== 'folder') kept.push(entry);
        // A folder that is a root of its own is read as that.
        else if (!this.#roots.some((other) => other.folder === entry.absolute))
          folders.push({ folder: entry.absolute, rules });
      }
      for (let i = 0; i < kept.length; i += STATS_AT_ONCE) {
        signal?.throwIfAborted();
        yield* await Promise.all(
          kept
            .slice(i, i + STATS_AT_ONCE)
            .map((entry) =>
              entry.kind === 'link' ? this.#judgeLink(root, entry.absolute) : this.#measure(root, entry),
            ),
        );
      }
      waiting.push(...folders.reverse());
    }
  }

  /** A folder that vanishes while it is walked holds nothing any more, unless its root went with it. */
  async #notListed(root: RootFolder, folder: string, error: unknown): Promise<SkipEvent> {
    if (folder === root.folder) return unseenRoot(root, error);
    if (!isGone(error)) return unseen(root, folder, causeOf(error));
    try {
      await this.#files.list(root.folder);
    } catch (lost) {
      return unseenRoot(root, lost);
    }
    return skip(root, folder, 'vanished', causeOf(error));
  }

  /** Left out by name alone: ignore files, settings, and what nobody wants. */
  #leaveOut(root: RootFolder, entry: Entry, rules: IgnoreRules): WalkEvent | undefined {
    const isFolder = entry.kind === 'folder';
    const glob = this.#excludedBy(relativePath(root, entry.absolute));
    if (glob !== undefined) return skip(root, entry.absolute, 'excluded', { code: 'setting', details: { glob } });
    const verdict = rules.judge(entry.absolute, isFolder);
    if (verdict?.ignored)
      return skip(root, entry.absolute, 'ignored', { code: 'pattern', details: { file: verdict.name } });
    if (verdict?.ours) return undefined;
    const standard = defaultExclusion(entry.absolute, entry.name, isFolder);
    return standard && skip(root, entry.absolute, standard.reason, standard.why);
  }

  async #measure(root: RootFolder, entry: Entry): Promise<WalkEvent> {
    try {
      const { size, mtimeMs, kind, stamp } = await this.#files.stat(entry.absolute);
      if (kind !== 'file') return skip(root, entry.absolute, 'unsupported', plainly('no-file'));
      const most = this.#options.maxFileBytes * (isDocument(entry.name) ? readingLimits.documentSizeFactor : 1);
      if (size > most)
        return skip(root, entry.absolute, 'too-large', { code: 'too-large', details: { bytes: size, most } });
      if (size === 0) return skip(root, entry.absolute, 'empty', plainly('no-content'));
      return {
        type: 'file',
        file: {
          uri: uriOf(entry.absolute),
          path: shownPath(root, entry.absolute),
          rootUri: root.uri,
          size,
          mtimeMs,
          ...(stamp !== undefined && { stamp }),
        },
      };
    } catch (error) {
      if (isGone(error) && entry.name.includes('\uFFFD'))
        return skip(root, entry.absolute, 'unreadable', plainly('name-not-utf8'));
      return isGone(error)
        ? skip(root, entry.absolute, 'vanished', causeOf(error))
        : unseen(root, entry.absolute, causeOf(error));
    }
  }

  /**
   * Links are never read through: one that leaves the roots could show what was not opened, one that stays inside leads
   * to what is read under its own path anyway.
   */
  async #judgeLink(root: RootFolder, absolute: string): Promise<WalkEvent> {
    try {
      const target = await this.#files.realPath(absolute);
      const realRoot = await this.#files.realPath(root.folder);
      if (!isInside(realRoot, target)) return skip(root, absolute, 'link-outside', plainly('link-outside'));
      const to = path.relative(realRoot, target).split(path.sep).join('/');
      const isBack = isInside(target, path.join(realRoot, relativePath(root, absolute)));
      return skip(root, absolute, 'link-cycle', { code: isBack ? 'link-back' : 'link-within', details: { to } });
    } catch (error) {
      if (errorCode(error) === 'ELOOP') return skip(root, absolute, 'link-cycle', plainly('link-circle'));
      return isGone(error)
        ? skip(root, absolute, 'vanished', plainly('link-to-nothing'))
        : skip(root, absolute, 'unreadable', causeOf(error));
    }
  }
}

function skip(root: RootFolder, absolute: string, reason: SkipReason, why: FileCause): SkipEvent {
  const shown = isInside(root.folder, absolute) ? shownPath(root, absolute) : absolute;
  return { type: 'skipped', skipped: { path: shown || root.folder, reason, why } };
}

function unseen(root: RootFolder, absolute: string, why: FileCause, error?: UnreadableRootError): SkipEvent {
  return {
    ...skip(root, absolute, 'unreadable', why),
    unseen: { uri: uriOf(absolute).replace(/\/$/, ''), ...(error && { error }) },
  };
}

function unseenRoot(root: RootFolder, error: unknown): SkipEvent {
  const why = isGone(error) ? plainly('no-folder') : causeOf(error);
  return unseen(root, root.folder, why, new UnreadableRootError(root.folder, causeInWords(why)));
}

/** What an I/O error says, without the absolute path that Node adds. */
export function causeOf(error: unknown): FileCause {
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM') return plainly('denied');
  if (isGone(error)) return plainly('gone');
  if (!(error instanceof Error)) return { code: 'disk', details: { said: String(error) } };
  const { syscall } = error as NodeJS.ErrnoException;
  const at = syscall === undefined ? -1 : error.message.indexOf(`, ${syscall} '`);
  return { code: 'disk', details: { said: at < 0 ? error.message : error.message.slice(0, at) } };
}
