/*
 * What commands beside the server print for --help. They lie apart from the commands, so that nothing of the server is loaded for them.
 */

export const configUsage = `Usage: palisade config TASK

Looks at the configuration of a server, and has a server that runs read it again.

  check FILE [--MEMBER VALUE …]      name everything that is wrong in a configuration file, with line and column
  reload [FILE] [--MEMBER VALUE …]   check it, and have the server on its data directory apply it without a restart
  schema                             print the JSON Schema of the file, for editors

Members are given as with palisade serve, environment variables count as well. The status is 0 when all is well, 1 when it is not.

Example:
  palisade config check /etc/palisade/palisade.yaml
`

export const rulesUsage = `Usage: palisade rules TASK [--config FILE] [--MEMBER VALUE …]

Installs releases of the OWASP Core Rule Set, by which the firewall's proxy judges requests, and says which one counts. They lie
side by side in the data directory. A proxy that runs takes another release over within seconds, without an interruption.

  install FILE | URL [--sha256 DIGEST]   install a release of version 3 or 4, a .tar.gz as the project publishes it; an
                                         address needs the digest
  install --debian                       bring Debian's packages modsecurity-crs and, for the rules that ask it whether a
                                         value injects something, libmodsecurity3: installed as root, else unpacked in the
                                         data directory; with --if-missing only what is missing
  list                                   the releases that are installed; the one that counts has a star
  use RELEASE                            load the release, and have it count if that succeeds
  status                                 load the release that counts, and say what is odd about it

Members of the configuration are given as with palisade serve. The status is 0 when all is well, 2 when the command line or the
configuration is wrong, and 1 when something else failed.

Example:
  palisade rules install coreruleset-4.20.0.tar.gz --sha256 8f2a…
  palisade rules use 4.20.0
`

export const supportUsage = `Usage: palisade support [--config FILE] [--MEMBER VALUE …] [--output FILE]

Collects in one file what somebody needs who helps you with a server: versions, the configuration without its
secrets, how the files of the data directory lie, and, of a server that runs, its state, metrics and newest
log lines. It has no content of backups, no keys and no passwords; names, addresses and user names are in it: look
through it before you give it away.

  --config FILE    the configuration of the server
  --output FILE    where it is written, "-" for standard output [palisade-support-TIME.tar.gz in this folder]

Run it as the user of the server, or as root. A server that does not run, or does not start, is no obstacle.
The status is 0 when the file is written, 1 when it cannot be, and 2 for a wrong command line.

Example:
  palisade support --config /etc/palisade/palisade.yaml
`

export const vaultUsage = `Usage: palisade vault TASK [--config FILE] [--MEMBER VALUE …]

Looks after the vault of a server that is stopped, with the configuration of that server; "keys" also beside one that runs.

  check [--read-data | --sample PERCENT]   look for damage: structure only, or every chunk or a part of them as well
  repair [--read-data]                     put damage right as far as possible, and say which revisions have suffered
  keys                                     list the keys that open the vault
  add-key --new-key-file FILE | --new-passphrase-file FILE [--label TEXT]
                                           let another key or passphrase open it too
  remove-key ID                            take a key away
  change-key --new-key-file FILE | --new-passphrase-file FILE
                                           put another in the place of the one that the configuration names

A key file is made when it is not there. A passphrase file has the passphrase in its first line, mode 0600.
Members of the configuration are given as with palisade serve. The status is 0 when all is well, 1 when it is not.
`
