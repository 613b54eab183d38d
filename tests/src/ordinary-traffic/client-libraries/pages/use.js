const secondsMax = 15

/** Has one of a family's libraries send what it sends, and tells in `outcome` when that is over. */
export function useOf(libraries) {
  return async (name) => {
    const late = new Promise((resolve) => setTimeout(resolve, secondsMax * 1000, 'it took too long'))
    globalThis.outcome = await Promise.race([late, libraries[name]().then(() => 'done', String)])
  }
}
