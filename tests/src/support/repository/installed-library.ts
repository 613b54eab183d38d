import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './root.ts'

/** An empty project into which a library of this repository is installed as it would be published. */
export class InstalledLibrary {
  readonly project: string
  /** Where npm has put the library. */
  readonly folder: string
  readonly #library: string

  /** @param library its folder, such as `seclang`; the project is empty until {@link install} */
  constructor(library: string) {
    this.#library = library
    this.project = mkdtempSync(join(tmpdir(), `project-of-${library}-`))
    this.folder = join(this.project, 'node_modules', '@palisade', library)
  }

  /**
   * Packs the library and has npm install the archive, without a registry.
   *
   * @param dependencies the names of what it needs, all of which this repository has
   */
  install(dependencies: readonly string[]): void {
    const packed = this.run(join(root, 'scripts', 'pack-library.mjs'), this.#library)
    assert.equal(packed.status, 0, packed.stderr)
    writeFileSync(join(this.project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    this.add([packed.stdout.trim(), ...dependencies.map((name) => join(root, 'node_modules', name))])
  }

  /** @param packages paths of archives and of folders */
  add(packages: readonly string[]): void {
    const args = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]
    const { status, stderr } = spawnSync('npm', args, { cwd: this.project, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }

  /** Runs Node in the project. */
  run(...args: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, args, { cwd: this.project, encoding: 'utf8' })
  }

  remove(): void {
    rmSync(this.project, { recursive: true })
  }
}
