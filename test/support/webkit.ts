import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './ports.ts'

/** WebKit, the engine of Safari: Debian's packages webkit2gtk-driver and xvfb. Null where they are not installed. */
export const WEBKIT = ['/usr/bin/WebKitWebDriver', '/usr/bin/xvfb-run'].every((path) => existsSync(path))
  ? '/usr/bin/WebKitWebDriver'
  : null

/** A page in WebKit, driven by WebDriver. Elements are found by XPath and waited for. */
export type WebKitPage = {
  readonly open: (url: string) => Promise<unknown>
  readonly find: (xpath: string) => Promise<Element>
  readonly click: (xpath: string) => Promise<unknown>
  /** Key by key, as a person does; on a file input, the path of a file. */
  readonly type: (xpath: string, text: string) => Promise<unknown>
  /** Returns the result of a function body in the page. */
  readonly evaluate: <T>(body: string) => Promise<T>
  readonly close: () => Promise<void>
}
type Element = { readonly [key: string]: string }

const WAIT_MS = 20_000

export async function openWebKit(): Promise<WebKitPage> {
  const port = await freePort()
  const driver = spawn('xvfb-run', ['-a', '-s', '-screen 0 1366x900x24', WEBKIT ?? '', '-p', String(port)], {
    stdio: 'ignore',
    detached: true,
  })
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const request = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const { value } = await (await fetch(`http://127.0.0.1:${port}${path}`, request)).json()
    if (typeof value?.error === 'string') throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const created = await until(() => call<{ sessionId: string }>('POST', '/session', { capabilities: {} }))
  const session = `/session/${created.sessionId}`
  const found = (xpath: string) => call<Element>('POST', `${session}/element`, { using: 'xpath', value: xpath })
  // A control may be drawn again between its being found and its being used.
  const act = (xpath: string, action: string, body: object) =>
    until(async () => call('POST', `${session}/element/${Object.values(await found(xpath))[0]}/${action}`, body), xpath)
  return {
    open: (url) => call('POST', `${session}/url`, { url }),
    find: (xpath) => until(() => found(xpath), xpath),
    click: (xpath) => act(xpath, 'click', {}),
    type: (xpath, text) => act(xpath, 'value', { text }),
    evaluate: (body) => call('POST', `${session}/execute/sync`, { script: body, args: [] }),
    close: async () => {
      const ended = once(driver, 'exit')
      await call('DELETE', session).catch(() => undefined)
      // The driver and the display that it runs on.
      if (driver.pid !== undefined) process.kill(-driver.pid, 'SIGTERM')
      await ended
    },
  }
}

async function until<T>(work: () => Promise<T>, what = 'WebKit starts'): Promise<T> {
  const end = Date.now() + WAIT_MS
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (Date.now() > end) throw new Error(`not within ${WAIT_MS} ms: ${what}`, { cause })
      await delay(100)
    }
  }
}
