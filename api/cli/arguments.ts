import { parseArgs, type ParseArgsConfig } from 'node:util'

/** What the command line says in the terms of `config`; null where it says something else. */
export function readArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> | null {
  try {
    return parseArgs(config)
  } catch {
    return null
  }
}
