import { beginSpan, type Span } from '@palisade/tracing'

/** The steps of a task as spans, one behind another, where the task's trace is recorded. */
export class StepSpans {
  #current: Span | undefined

  /** To be called from within the task. The step before has ended. */
  begin(step: string): void {
    this.end()
    this.#current = beginSpan(step)
  }

  end(): void {
    this.#current?.end()
    this.#current = undefined
  }
}
