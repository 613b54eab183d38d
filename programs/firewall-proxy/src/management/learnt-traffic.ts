import { type LearntUrl, learntKey, learntMax, mergedUrl } from '@palisade/proxy-protocol'

/** What was learnt and not handed on yet: each URL once, and no more URLs than a bound; those that are already there grow on. */
export class LearntTraffic {
  #urls = new Map<string, LearntUrl>()

  take(learnt: LearntUrl): void {
    const key = learntKey(learnt)
    const sketch = this.#urls.get(key)
    if (sketch !== undefined) this.#urls.set(key, mergedUrl(sketch, learnt))
    else if (this.#urls.size < learntMax.urls) this.#urls.set(key, learnt)
  }

  /** Gives some of what there is, and forgets it. @param countMax URLs at most */
  give(countMax: number = learntMax.urls): LearntUrl[] {
    const urls = Array.from(this.#urls.entries().take(countMax))
    for (const [key] of urls) this.#urls.delete(key)
    return urls.map(([, learnt]) => learnt)
  }
}
