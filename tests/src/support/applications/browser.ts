import { type Browser, chromium } from 'playwright-core'

/** Starts Debian's Chromium; whoever has started it closes it. @param flags more of its command line */
export function startBrowser(flags: readonly string[] = []): Promise<Browser> {
  // Tests run as root, whom its sandbox does not take.
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...flags] })
}
