/** Those who wait for the end of this turn of the event loop. */
let waiting: (() => void)[] = []

/** What is sent when they have gone on. */
let sends: (() => void)[] = []

/** Whether an end was asked for that has not come yet. */
let isAskedFor = false

/**
 * Waits until everything that has come by now was read. What is done then, until the next wait, is done in one go with what others do
 * who have waited. The code of the rules and what they look things up in are larger than the nearest caches of a processor. When they
 * run for one request after the other, and not in between reading and sending, they stay there: a small request under the Core Rule
 * Set takes a third less processor time, and one that is alone waits for nothing.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    ask()
  })
}

/**
 * Sends something at the end of this turn, behind what those do who have waited for that, in one go with what others send. Waking
 * who sleeps costs the sender more than sending: those to whom it goes are woken by the first of it and find the rest. A small request
 * without rules takes a fifth less processor time.
 *
 * @param send must not throw
 */
export function sendAtEndOfTurn(send: () => void): void {
  sends.push(send)
  ask()
}

/** Whoever goes on has done that when the second call comes. */
function ask(): void {
  if (isAskedFor) return
  isAskedFor = true
  setImmediate(goOn)
  setImmediate(sendAll)
}

function goOn(): void {
  const all = waiting
  waiting = []
  for (const resolve of all) resolve()
}

function sendAll(): void {
  isAskedFor = false
  const all = sends
  sends = []
  if (waiting.length > 0) ask()
  for (const send of all) send()
}
