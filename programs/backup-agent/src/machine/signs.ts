/** What guests say when they run, and what is said when they do not, on serial lines and screens in text mode. */

/** One thing that is recognised. */
export interface Sign {
  /** Ends the sentence that starts with "the machine". */
  readonly what: string
  readonly pattern: RegExp
}

/** Only a system that has started says these. They are looked for first. */
export const signsOfLife: readonly Sign[] = [
  { what: 'asks who logs in', pattern: /^\S.* login: *$/m },
  {
    what: 'has started its services',
    pattern: /Reached target .*(Multi-User|Graphical Interface|Login Prompts)/,
  },
]

/** Firmware, boot loaders and kernels say these when they do not get on. The first that fits is the reason. */
export const signsOfFailure: readonly Sign[] = [
  {
    what: 'finds nothing to start from',
    pattern: /No bootable device|No bootable option or device was found|Boot failed: not a bootable disk/,
  },
  {
    what: 'finds no loader to start from, and shows the shell of its firmware',
    // Its prompt: before that the shell still looks for a script that may start a system.
    pattern: /^(?=[\s\S]*UEFI Interactive Shell)[\s\S]*Shell> /,
  },
  {
    what: 'finds no boot loader where its boot code looks for one',
    pattern:
      /Missing operating system|Operating system not found|Invalid partition table|BOOTMGR is missing|NTLDR is missing/,
  },
  {
    what: 'has a boot loader that does not find its files',
    pattern: /grub rescue>|error: (no such (device|partition|disk)|unknown filesystem|file .* not found)/,
  },
  {
    what: 'has a kernel that does not find its root',
    pattern: /ALERT! .* does not exist|Unable to mount root fs|Gave up waiting for root/,
  },
  { what: 'has a kernel that cannot go on', pattern: /Kernel panic - not syncing/ },
  {
    what: 'asks somebody to repair it',
    pattern: /You are in emergency mode|Give root password for maintenance/,
  },
]

/** The first sign that is in a text. */
export function signIn(text: string, signs: readonly Sign[]): Sign | undefined {
  return signs.find(({ pattern }) => pattern.test(text))
}
