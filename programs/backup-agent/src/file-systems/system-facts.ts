/** What a volume is for, by the files on it. */
export interface SystemFacts {
  /**
   * - `system`      an operating system starts from it
   * - `boot-files`  it holds what starts a system that is elsewhere
   * - `data`        neither
   */
  readonly holds: 'system' | 'boot-files' | 'data'
  /** "10.0.17763" of Windows, "Debian GNU/Linux 12 (bookworm)" of Linux; undefined when it cannot be told. */
  readonly osVersion: string | undefined
}
