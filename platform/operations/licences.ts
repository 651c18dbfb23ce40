import { readFileSync } from 'node:fs'

/** A package that is shipped with the product; the licence is an SPDX expression, null where the package names none. */
export type ShippedPackage = { readonly name: string; readonly version: string; readonly licence: string | null }

/** Packages by name, from the file that the build writes; none where the product runs without a build. */
export function shippedPackages(file: string): readonly ShippedPackage[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly ShippedPackage[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
