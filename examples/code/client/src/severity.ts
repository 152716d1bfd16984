/** What an alarm code asks of a person. The codes are born in service/kilnhouse/alarms.py. */
export type Severity = 'page' | 'warn' | 'note'

const SEVERITY_BY_CODE: Readonly<Record<string, Severity>> = {
  'K-OVR': 'page',
  'K-LID': 'page',
  'K-SIL': 'warn',
  'K-STL': 'note',
}

/** A code that this board has never heard of is a warning, never silence. */
export function severityOf(code: string): Severity {
  return SEVERITY_BY_CODE[code] ?? 'warn'
}

const RANK: Readonly<Record<Severity, number>> = { page: 2, warn: 1, note: 0 }

/** The gravest severity among the codes; undefined when there are none. */
export function gravest(codes: readonly string[]): Severity | undefined {
  return codes.map(severityOf).sort((left, right) => RANK[right] - RANK[left])[0]
}
