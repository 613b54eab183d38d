/** How much of bodies is held in a process at once, and how long requests wait for that. */
export interface BodyRoomLimits {
  readonly bytesMax: number
  /** How long a request waits for room, in milliseconds, before it is turned away. */
  readonly waitMaxMs: number
}

/** What a request is told that has asked for room, at most once each, and `refused` last. */
export interface RoomNews {
  /** There is room: the body may come. */
  granted(): void
  /** There was none in time, or others that waited as long have got it since. */
  refused(why: 'full' | 'slow'): void
}

/** A request's part of the room. */
interface Place extends RoomNews {
  bytes: number
  /** When it began to wait or, once it has room, when it got that; milliseconds of a clock that never goes back. */
  since: number
  state: 'waiting' | 'filling' | 'filled' | 'gone'
}

/** Gives back a request's part of the room, or as much as is not needed. */
export interface Share {
  /** The body is here, and no longer than this. */
  keep(bytes: number): void
  /** Nothing of it is held any more; may be called twice. */
  leave(): void
}

/** How often requests that have waited too long are looked for. */
const lookMs = 250

/**
 * Bounds what a process holds of bodies that are judged before they go on.
 *
 * A request asks for all the room that its body may take before it reads it, so that nobody ever waits while it holds something that
 * another one waits for. Requests get room in the order in which they have asked, a large one before smaller ones behind it. One
 * that has waited for `waitMaxMs` gets the room of a body that has been coming for longer than that, since whoever sends so slowly
 * must not keep others out; when there is none, it is refused.
 */
export class BodyRoom {
  readonly #limits: BodyRoomLimits
  readonly #now: () => number
  readonly #waiting = new Set<Place>()
  /** In the order in which they got room. */
  readonly #filling = new Set<Place>()
  #taken = 0
  #looking: NodeJS.Timeout | undefined

  /** @param now in milliseconds, of a clock that never goes back */
  constructor(limits: BodyRoomLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  /** What is given away at the moment, in bytes. */
  get takenBytes(): number {
    return this.#taken
  }

  /** How many requests wait for room. */
  get waitingCount(): number {
    return this.#waiting.size
  }

  /**
   * Asks for room.
   *
   * @param bytes the most that will be held; more than there is at all counts as all there is
   * @param news may be told before this returns
   */
  ask(bytes: number, news: RoomNews): Share {
    const place: Place = {
      bytes: Math.min(bytes, this.#limits.bytesMax),
      since: this.#now(),
      state: 'waiting',
      granted: news.granted,
      refused: news.refused,
    }
    this.#waiting.add(place)
    this.#grant()
    if (this.#waiting.size > 0) this.#looking ??= setInterval(() => this.look(), lookMs).unref()
    return {
      keep: (reservation) => {
        if (place.state !== 'filling') return
        this.#filling.delete(place)
        place.state = 'filled'
        this.#shrink(place, Math.min(reservation, place.bytes))
      },
      leave: () => this.#remove(place),
    }
  }

  /** Turns away who has waited too long, or those who keep it waiting; called by itself now and then. */
  look(): void {
    const dueAt = this.#now() - this.#limits.waitMaxMs
    for (const place of this.#waiting) {
      if (place.since > dueAt) break
      while (place.state === 'waiting' && this.#endSlowest(dueAt)) this.#grant()
      if (place.state === 'waiting') this.#refuse(place, 'full')
    }
    this.#grant()
  }

  /** Takes the room of the body that has been coming for the longest time, if that is too long. */
  #endSlowest(dueAt: number): boolean {
    const [slowest] = this.#filling
    if (slowest === undefined || slowest.since > dueAt) return false
    this.#refuse(slowest, 'slow')
    return true
  }

  #refuse(place: Place, why: 'full' | 'slow'): void {
    place.refused(why)
    this.#remove(place)
  }

  #remove(place: Place): void {
    if (place.state === 'gone') return
    const hadRoom = place.state !== 'waiting'
    place.state = 'gone'
    this.#waiting.delete(place)
    this.#filling.delete(place)
    if (hadRoom) this.#shrink(place, 0)
    else this.#grant()
  }

  #shrink(place: Place, bytes: number): void {
    this.#taken -= place.bytes - bytes
    place.bytes = bytes
    this.#grant()
  }

  #grant(): void {
    for (const place of this.#waiting) {
      if (this.#taken + place.bytes > this.#limits.bytesMax) return
      this.#waiting.delete(place)
      this.#filling.add(place)
      this.#taken += place.bytes
      place.state = 'filling'
      place.since = this.#now()
      place.granted()
    }
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}
