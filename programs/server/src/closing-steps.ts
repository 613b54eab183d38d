/** What has to be closed of what was opened so far. */
export class ClosingSteps {
  readonly #steps: (() => unknown)[] = []

  /** @param step is awaited when it takes time */
  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  /** Closes what was opened last first. What was closed is not closed again. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
