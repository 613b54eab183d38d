/*
 * What a time line shows: moments with what is to be said of them, gathered where they are too close to be told apart.
 */

/** How good what is shown is, from the best. */
export type MomentKind = 'proved' | 'verified' | 'plain' | 'damaged'

/** Something that a time line shows. */
export interface Moment {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: MomentKind
  readonly isPinned?: boolean
  /** What it is, in words. */
  readonly label: string
}

/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Moments that one mark stands for. */
export interface Bucket {
  /** Where the mark stands. */
  readonly at: number
  /** The worst of them, so that damage is seen from afar. */
  readonly kind: MomentKind
  readonly isPinned: boolean
  /** Oldest first. */
  readonly moments: readonly Moment[]
}

const dayMs = 86_400_000
const worstFirst: readonly MomentKind[] = ['damaged', 'plain', 'verified', 'proved']

/** The time from the oldest moment until now, with a little room on both sides. */
export function spanOf(moments: readonly Moment[], now = Date.now()): Span {
  const first = moments[0]?.at ?? now
  const length = Math.max(now - first, dayMs / 24)
  return { from: first - length * 0.03, to: now + length * 0.03 }
}

/**
 * Gathers the moments of a span.
 *
 * @param moments oldest first
 * @param columns how many marks stand side by side without touching
 */
export function bucketsOf(
  moments: readonly Moment[],
  { from, to }: Span,
  columns: number,
): readonly Bucket[] {
  const width = (to - from) / columns
  const gathered: Moment[][] = []
  for (const moment of moments) {
    if (moment.at < from || moment.at > to) continue
    const group = gathered.at(-1)
    // Those that stand closer to the first of a group than a mark is wide belong to it.
    if (group?.[0] !== undefined && moment.at - group[0].at < width) group.push(moment)
    else gathered.push([moment])
  }
  return gathered.map((inside) => ({
    at: ((inside[0]?.at ?? 0) + (inside.at(-1)?.at ?? 0)) / 2,
    kind: worstFirst.find((kind) => inside.some((moment) => moment.kind === kind)) ?? 'plain',
    isPinned: inside.some(({ isPinned }) => isPinned === true),
    moments: inside,
  }))
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const steps = [
  ...[minuteMs, 2 * minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs],
  ...[1, 2, 7, 14, 30, 61, 91, 183, 365, 1825].map((days) => days * dayMs),
]

/** Where days, or hours, are written on the axis. @param countMax how many there is room for */
export function ticksOf({ from, to }: Span, countMax: number): readonly { at: number; text: string }[] {
  const length = to - from
  const step = steps.find((candidate) => length / candidate <= countMax) ?? length
  const format = new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'short',
    ...(length > 300 * dayMs ? { year: 'numeric' } : {}),
    ...(step < dayMs ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
  })
  const midnight = new Date(from).setHours(0, 0, 0, 0)
  const first = midnight + Math.ceil((from - midnight) / step) * step
  const count = Math.max(0, Math.floor((to - first) / step) + 1)
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * step
    return { at, text: format.format(at) }
  })
}
