import type { Frame } from './frame.mjs'
import { severityOf } from './severity.ts'

/** Seconds until an alarm that nobody has acknowledged is sent to the steward's phone once more. */
export const PAGE_REPEAT_SECONDS = 240

/** After so many calls the pager gives up on the first steward and calls the second. */
export const PAGES_BEFORE_SECOND_STEWARD = 3

export interface Page {
  readonly kiln: string
  readonly code: string
  readonly steward: 'first' | 'second'
}

interface OpenAlarm {
  readonly kiln: string
  readonly code: string
  pagedAt: number
  pages: number
}

/** Remembers unacknowledged alarms and says whom to call when. The caller brings the clock, in milliseconds. */
export class Pager {
  readonly #open = new Map<string, OpenAlarm>()

  /** Takes in a frame; answers the pages to send at once. */
  receive(frame: Frame, now: number): Page[] {
    const fresh = frame.alarms.filter((code) => severityOf(code) === 'page' && !this.#open.has(`${frame.kiln} ${code}`))
    return fresh.map((code) => {
      this.#open.set(`${frame.kiln} ${code}`, { kiln: frame.kiln, code, pagedAt: now, pages: 1 })
      return { kiln: frame.kiln, code, steward: 'first' }
    })
  }

  /** The pages that are due again at `now`. */
  due(now: number): Page[] {
    const late = [...this.#open.values()].filter((alarm) => now - alarm.pagedAt >= PAGE_REPEAT_SECONDS * 1000)
    return late.map((alarm) => {
      alarm.pagedAt = now
      alarm.pages += 1
      const steward = alarm.pages > PAGES_BEFORE_SECOND_STEWARD ? 'second' : 'first'
      return { kiln: alarm.kiln, code: alarm.code, steward }
    })
  }

  /** Somebody has looked after this kiln. */
  acknowledge(kiln: string): void {
    for (const [key, alarm] of this.#open) if (alarm.kiln === kiln) this.#open.delete(key)
  }
}
