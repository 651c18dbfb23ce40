import { readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

/** The server's rooms, from their one list. */
const { include: rooms } = JSON.parse(readFileSync(new URL('./tsconfig.build.json', import.meta.url), 'utf8'))

const configuration: KnipConfig = {
  entry: [
    'api/main.ts!',
    'api/cli/*.ts!',
    'scripts/*.mjs',
    'bench/support/http-load.ts',
    'web/routes/**/*.tsx',
    'web/components/ui/*.tsx',
    'web/test/stock-page.tsx',
    'test/**/*.spec.ts',
    'test/support/embedded-postgres-holder.ts',
    'test/support/demo-main.ts',
    'test/support/uncaught-main.ts',
    'test/support/event-writer.ts',
    'test/support/clickhouse/server.mjs',
    'test/chaos/*-process.ts',
    'test/openapi/story.ts',
  ],
  project: [`{${rooms.join()},test,bench}/**/*.ts`, 'web/**/*.{ts,tsx,css}', 'scripts/*.mjs'],
  ignoreExportsUsedInFile: true,
  ignoreUnresolved: ['./placard.d.ts'],
  ignoreDependencies: ['@expo-google-fonts/noto-sans', '@expo-google-fonts/noto-sans-armenian', 'embedded-postgres'],
  ignoreBinaries: ['convert', 'ffmpeg', 'go', 'lame', 'mount', 'prometheus', 'promtool', 'systemd-analyze', 'umount', 'unshare'],
  ignore: ['migrations/*.ts'],
}

export default configuration
