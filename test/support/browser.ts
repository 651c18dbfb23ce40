import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Disables the background traffic of Chromium, which would fail many times a minute. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The same engine without what only windows need takes a fifth less of the processor. */
const SHELL = '/usr/bin/chromium-headless-shell'
const installed = () => (existsSync(SHELL) ? SHELL : '/usr/bin/chromium')

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? installed(), args: QUIET })

let shared: Promise<Browser> | undefined

/** The browser of all files of a worker: its launch takes longer than many tests. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined
  return (shared ??= launchBrowser())
}

/** Closes what a file left open. */
export async function leaveBrowser(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}
