import { type Browser, chromium } from 'playwright-core'

/** Starts Debian's Chromium; whoever has started it closes it. @param flags more of its command line */
export function startBrowser(flags: readonly string[] = []): Promise<Browser> {
  // Tests run as root, whom its sandbox does not take.
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...flags] })
}

/**
 * The same for pages of the certificates that servers make for themselves: one that the browser takes for valid, since it keeps
 * nothing of an address whose certificate it doubts, and loads and compiles all scripts anew for each page.
 */
export function startConsoleBrowser(): Promise<Browser> {
  return startBrowser(['--ignore-certificate-errors', '--in-process-gpu'])
}
