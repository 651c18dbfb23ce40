import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Parses the command line by `config`; null when it does not match. */
export function readArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> | null {
  try {
    return parseArgs(config)
  } catch {
    return null
  }
}
