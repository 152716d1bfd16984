import type { Passage, PassageChain } from '#search';
import { type Reading, ProseStream, readReply } from '../answer/reading.ts';
import { askTurn } from '../context/ask-model.ts';
import type { SentPrompt } from '../context/node-record.ts';
import { BudgetExhaustedError } from '../context/research-options.ts';
import type { SubAnswer } from '../domain/answer.ts';
import { placeOf } from '../evidence/citations.ts';
import { type Lane, uniquePassages } from '../evidence/ledger.ts';
import { EvidenceView, type Room } from '../evidence/view.ts';
import { contextRoom, estimatePromptTokens } from '../language-model/context-window.ts';
import { ContextTooLongError } from '../language-model/errors.ts';
import type { ChatMessage, LanguageModel, ToolCall } from '../language-model/language-model.ts';
import { emptyChain, type OperatorContext, type SeenAnswer, type Step } from '../operators/operator.ts';
import { toolSchemas } from '../tools/tool-table.ts';
import { cutToTokens, firstLook, lookUp, showLook } from './look-up.ts';
import { CITE, firstMessage, leftInWords, LOOK_AGAIN, LOOKED_UP, systemMessage } from './prompts.ts';

export interface LoopTask {
  step: Step;
  question: string;
  /** Its reply is the run's answer: streamed while it is written. */
  final: boolean;
  /** Turns in which the model may look things up. */
  looks: number;
  /** False: nothing is searched before the first call. */
  search?: boolean;
  queries?: readonly string[] | undefined;
  /** What was found before, with the passages that it rests on, which are shown first. */
  known?: readonly Pick<SubAnswer, 'question' | 'answer' | 'passageIds'>[];
  seen?: readonly SeenAnswer[] | undefined;
  /** Said behind the question: how this operator goes about it. */
  guidance?: string;
  /** What the model says between its looks is told as a thought. */
  tellThoughts?: boolean;
  /** What the reading misses is searched for, where the model itself looked for nothing. */
  followMissing?: boolean;
  /** Nothing is looked up and nothing is known: the model answers from memory. */
  fromMemory?: boolean;
  /** Other conversations run beside it: its numbers. */
  lane?: Lane;
}

interface LoopOutcome {
  /** undefined: the model said nothing before the budget was gone. */
  reading: Reading | undefined;
  chain: PassageChain;
  /** Passages that were shown, in the order of their showing. */
  shown: Passage[];
  sent?: SentPrompt;
}

/** From such a window on, many hits are shown; from the lower one, some. In tokens. */
const WINDOW = { large: 32_000, middle: 12_000 };
/** Tokens that first evidence and one look take at most, however large the window: each call sends them again. */
const MOST_TOKENS = { first: 9000, look: 4000 };
/** A reply, and the least that is left to one of a small window. */
const REPLY_TOKENS = { most: 2000, share: 0.25 };
/** Tokens under which one look shows too little. */
const LEAST_LOOK = 300;
const MOST_MISSING = 3;

/**
 * The tool loop: the question with what a first search found, then turns in which the model looks up or replies.
 * The conversation only grows by appending, so that prompt caches serve it. A lookup takes one call: its evidence
 * stands in the first message. The reply is accepted in whatever form it comes; one that cites nothing is asked for
 * once more. @throws the model's errors, BudgetExhaustedError before a first reply, AbortError
 */
export const runLoop = async (context: OperatorContext, task: LoopTask): Promise<LoopOutcome> =>
  new Conversation(context, task).run();

class Conversation {
  readonly #context: OperatorContext;
  readonly #task: LoopTask;
  readonly #messages: ChatMessage[] = [];
  #view: EvidenceView;
  #looksLeft: number;
  #looked = false;
  #halved = false;
  #shown: Passage[] = [];
  #chain: PassageChain = emptyChain;
  #note = '';
  #reading: Reading | undefined;
  readonly #asked = { cite: false, again: false, missing: false };
  #sent: SentPrompt | undefined;

  constructor(context: OperatorContext, task: LoopTask) {
    this.#context = context;
    this.#task = task;
    this.#view = new EvidenceView(context.ledger, this.#lane);
    // A reply has to fit into the budget, too.
    this.#looksLeft = Math.min(task.looks, Math.max(0, context.budget.limits.calls - 1));
  }

  get #lane(): Lane | undefined {
    return this.#task.lane ?? this.#context.lane;
  }

  async run(): Promise<LoopOutcome> {
    const found = await this.#found();
    await this.#open(found, 1);
    try {
      await this.#converse(found);
    } catch (error) {
      // Without its budget, what was read until then counts.
      if (!(error instanceof BudgetExhaustedError) || !this.#reading) throw error;
    }
    const shown = uniquePassages([...this.#shown, ...this.#carried()]);
    return { reading: this.#reading, chain: this.#chain, shown, ...(this.#sent && { sent: this.#sent }) };
  }

  /** What earlier answers rest on. */
  #carried(): Passage[] {
    return this.#context.ledger.among((this.#task.known ?? []).flatMap(({ passageIds }) => passageIds));
  }

  /** What is shown first: the same, then what the first search found. */
  async #found(): Promise<Passage[]> {
    const { step, question, queries, search = true } = this.#task;
    if (!search) return this.#carried();
    const { chain, passages, note } = await firstLook(this.#context, step, question, queries);
    this.#chain = chain;
    this.#note = note;
    return uniquePassages([...this.#carried(), ...passages]);
  }

  async #open(found: readonly Passage[], share: number): Promise<void> {
    const { question, known = [], seen = [], guidance = '', fromMemory = false } = this.#task;
    const isBrief = this.#isSmall && !fromMemory;
    const system = systemMessage(fromMemory, isBrief);
    const left = fromMemory ? '' : leftInWords(this.#looksLeft);
    const rest = { question, note: this.#note, known, seen, guidance, left, isBrief };
    const room = this.#room([system, firstMessage({ ...rest, evidence: '' })], 'first');
    const part = { ...room, tokens: Math.floor(room.tokens * share) };
    const shown = await this.#view.show(question, found, part, this.#context.signal);
    if (shown.cut > 0) this.#tellCut(found, shown.passages, room.whole);
    this.#shown = shown.passages;
    const evidence = shown.text === '' && !fromMemory ? 'Nothing was found for it so far.' : shown.text;
    this.#messages.splice(0, Infinity, system, firstMessage({ ...rest, evidence }));
  }

  async #converse(found: readonly Passage[]): Promise<void> {
    for (;;) {
      const { calls, text } = await this.#turn(found);
      if (calls.length > 0) {
        await this.#look(calls, text);
        continue;
      }
      this.#reading = readReply(text);
      if (this.#task.fromMemory || this.#context.budget.exhausted() !== undefined) return;
      if (this.#reading.none && this.#isSmall && !this.#halved && !this.#mayLook()) {
        await this.#openHalf(found);
        continue;
      }
      const next = await this.#objection(this.#reading);
      if (next === undefined) return;
      this.#messages.push({ role: 'user', content: next });
    }
  }

  /** What is said to a reading that is not yet the last one; undefined: it is. Each is said once. */
  async #objection(reading: Reading): Promise<string | undefined> {
    const asked = this.#asked;
    if (this.#task.followMissing && !asked.missing && !this.#looked && this.#mayLook() && reading.missing.length > 0) {
      asked.missing = true;
      const evidence = await this.#lookForMissing(reading.missing.slice(0, MOST_MISSING));
      if (evidence !== '') return `${evidence}\n\n${LOOKED_UP}`;
    }
    if (reading.none) {
      if (asked.again || this.#looked || !this.#mayLook()) return undefined;
      asked.again = true;
      return `${LOOK_AGAIN} ${leftInWords(this.#looksLeft)}`;
    }
    const cites = reading.statements.some(({ marks }) => marks.some((mark) => placeOf(mark, this.#context.ledger)));
    if (cites || asked.cite || this.#shown.length === 0) return undefined;
    asked.cite = true;
    return CITE;
  }

  /** One turn; where the window overflows, once more with half of the evidence. */
  async #turn(found: readonly Passage[]): Promise<{ calls: readonly ToolCall[]; text: string }> {
    const { final, looks } = this.#task;
    const stream = final ? new ProseStream((text) => this.#context.emit({ type: 'answer-delta', text })) : undefined;
    const sent = [...this.#messages];
    try {
      const turn = await askTurn(this.#context, sent, {
        tools: looks > 0 ? toolSchemas : [],
        mayLook: this.#mayLook(),
        maxTokens: this.#replyTokens(),
        ...(stream && { onText: (text: string) => stream.push(text) }),
      });
      stream?.end();
      this.#messages.push(turn.message);
      this.#sent = { messages: sent, reply: turn.text };
      return { calls: turn.calls, text: turn.text };
    } catch (error) {
      if (!(error instanceof ContextTooLongError) || this.#halved) throw error;
      await this.#halve(found);
      return this.#turn(found);
    }
  }

  /** Half of the evidence: of the first message, or of what tools have brought. */
  async #halve(found: readonly Passage[]): Promise<void> {
    if (this.#messages.length <= 2) return this.#openHalf(found);
    this.#halved = true;
    this.#messages.forEach((message, i) => {
      if (message.role !== 'tool') return;
      const half = Math.floor(estimatePromptTokens([message]) / 2);
      this.#messages[i] = { ...message, content: cutToTokens(message.content, half) };
    });
    this.#looksLeft = 0;
  }

  /** The conversation anew, with half of its first evidence. */
  async #openHalf(found: readonly Passage[]): Promise<void> {
    this.#halved = true;
    this.#view = new EvidenceView(this.#context.ledger, this.#lane);
    const whole = Math.max(1, estimatePromptTokens(this.#messages.slice(1)));
    await this.#open(found, Math.min(0.5, whole / 2 / Math.max(1, this.#room([], 'first').tokens)));
  }

  /** Makes the looks of one turn side by side, and appends what they found. */
  async #look(calls: readonly ToolCall[], thought: string): Promise<void> {
    const context = this.#context;
    this.#looksLeft -= 1;
    this.#looked = true;
    const room = this.#room(this.#messages, 'look');
    const each = { ...room, tokens: Math.floor(room.tokens / Math.max(1, calls.length / 2)) };
    const looks = await Promise.all(calls.map((call) => lookUp(context, call)));
    if (this.#task.tellThoughts && thought.trim() !== '') this.#tellThought(thought.trim(), looks[0]?.asked ?? '');
    const contents: string[] = [];
    for (const look of looks) {
      const { text, passages } = await showLook(context, this.#task.step, this.#view, look, each);
      this.#shown = uniquePassages([...this.#shown, ...passages]);
      contents.push(text);
    }
    const left = leftInWords(this.#mayLook() ? this.#looksLeft : 0);
    contents.forEach((text, i) => {
      const content = i === contents.length - 1 ? `${text}\n\n${left}` : text;
      this.#messages.push({ role: 'tool', toolCallId: calls[i]?.id ?? '', content });
    });
  }

  #tellThought(answer: string, question: string): void {
    const subAnswer: SubAnswer = {
      stepId: this.#task.step.stepId,
      question,
      answer,
      found: true,
      thought: true,
      passageIds: [],
    };
    this.#context.emit({ type: 'sub-answer-ready', ...this.#task.step, subAnswer });
  }

  /** Searches for what a reading misses; '' where that shows nothing new. */
  async #lookForMissing(missing: readonly string[]): Promise<string> {
    this.#looksLeft -= 1;
    const context = this.#context;
    const room = this.#room(this.#messages, 'look');
    const looks = await Promise.all(missing.map((one) => firstLook(context, this.#task.step, one)));
    const texts: string[] = [];
    for (const [i, { passages }] of looks.entries()) {
      const share = { ...room, tokens: Math.floor(room.tokens / missing.length) };
      const shown = await this.#view.show(missing[i] ?? '', passages, share, context.signal);
      this.#shown = uniquePassages([...this.#shown, ...shown.passages]);
      if (shown.isNew) texts.push(shown.text);
    }
    return texts.join('\n');
  }

  /** Whether the next turn may look things up: a reply has to fit behind it, into the budget and into the window. */
  #mayLook(): boolean {
    const { calls, tokens, seconds } = this.#context.budget.left();
    return (
      this.#looksLeft > 0 &&
      calls > 1 &&
      seconds > 1 &&
      tokens > 2 * estimatePromptTokens(this.#messages) + this.#replyTokens() &&
      this.#room(this.#messages, 'look').tokens >= LEAST_LOOK
    );
  }

  /** Models of small windows lose in much evidence what they find in little. */
  get #isSmall(): boolean {
    return this.#window.contextTokens < WINDOW.middle;
  }

  #replyTokens(): number {
    return Math.min(REPLY_TOKENS.most, Math.floor(this.#window.contextTokens * REPLY_TOKENS.share));
  }

  get #window(): Pick<LanguageModel, 'contextTokens' | 'thoughtTokens' | 'windowNote'> {
    return this.#context.model ?? { contextTokens: WINDOW.large };
  }

  #room(messages: readonly ChatMessage[], of: 'first' | 'look'): Room {
    const { contextTokens } = this.#window;
    const free = contextRoom(this.#window, messages, this.#replyTokens());
    const isLarge = contextTokens >= WINDOW.large;
    // A small window keeps room for a look.
    const share = of === 'first' && !isLarge && this.#task.looks > 0 ? 0.6 : 1;
    const tokens = Math.min(MOST_TOKENS[of], Math.floor(free * share));
    if (of === 'look') return { tokens, whole: isLarge ? 6 : 3, brief: isLarge ? 8 : 4 };
    return { tokens, whole: 12, brief: isLarge ? 15 : contextTokens >= WINDOW.middle ? 8 : 0 };
  }

  /** Told where a window is too small for the passages that would be shown whole. */
  #tellCut(found: readonly Passage[], shown: readonly Passage[], whole: number): void {
    const { contextTokens, windowNote } = this.#window;
    if (contextTokens >= WINDOW.large) return;
    const best = found.slice(0, whole);
    const left = best.filter((passage) => !shown.includes(passage));
    const hops = new Set(this.#chain.hops.map(({ passage }) => passage.id));
    if (left.length === 0) return;
    const onTrail = hops.size > 0 && { onTrail: left.filter(({ id }) => hops.has(id)).length };
    const cut = { tokens: contextTokens, left: left.length, of: best.length, ...onTrail };
    this.#context.notice({ code: 'context-cut', details: { ...cut, ...(windowNote && { note: windowNote }) } });
  }
}
