import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'

const WEB = fileURLToPath(new URL('../../web', import.meta.url))

/** Builds a page of unchanged shadcn/ui components with the styles of the product. */
async function buildPage(): Promise<string> {
  const built = await build({
    configFile: false,
    root: WEB,
    logLevel: 'error',
    plugins: [react(), tailwindcss()],
    resolve: { alias: { '@': WEB } },
    build: { write: false, rolldownOptions: { input: `${WEB}/test/stock-page.tsx` } },
  })
  if (Array.isArray(built) || !('output' in built)) throw new Error('expected one bundle')
  const parts = built.output.map((part) =>
    part.type === 'chunk' ? `<script type="module">${part.code}</script>` : `<style>${String(part.source)}</style>`,
  )
  return `<!doctype html><html lang="en"><body>${parts.toReversed().join('')}</body></html>`
}

type Shown = { readonly name: string; readonly color: number[]; readonly background: number[] }

describe('unchanged shadcn/ui components in a browser', () => {
  let browser: Browser
  let html: string
  beforeAll(async () => {
    html = await buildPage()
    browser = await sharedBrowser()
  })
  afterAll(() => leaveBrowser(browser))

  it.each(['light', 'dark'] as const)(
    'unchanged shadcn/ui components in a browser show the colours of the theme: %s',
    async (theme) => {
      const page = await browser.newPage()
      await page.setContent(html)
      await page.evaluate(`document.documentElement.classList.toggle('dark', ${theme === 'dark'})`)
      await page.getByText('outline', { exact: true }).waitFor()
      // Transitions would show an intermediate colour after the change of the theme.
      await page.addStyleTag({ content: '* { transition: none !important }' })
      const shown = await page.evaluate<Shown[]>(`(() => {
      const pixel = (color) => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data]
      }
      return [...document.querySelectorAll('[data-slot=badge], [data-slot=alert]')].map((element) => {
        const { color, backgroundColor } = getComputedStyle(element)
        return { name: element.textContent, color: pixel(color), background: pixel(backgroundColor) }
      })
    })()`)
      expect(shown.map(({ name }) => name)).toEqual([
        'default',
        'secondary',
        'destructive',
        'outline',
        'default alert',
        'destructive alert',
      ])
      for (const { name, color, background } of shown) {
        // An undefined token leaves the background transparent and the text in the inherited colour.
        if (name !== 'outline') expect(background[3], `${name} background`).toBeGreaterThan(100)
        expect(background.slice(0, 3), `${name} text on background`).not.toEqual(color.slice(0, 3))
      }
      const [primary, secondary, destructive, , card, warning] = shown
      expect(primary?.background).not.toEqual(secondary?.background)
      // Utilities with an opacity exist too: the recipe uses 60% in the dark theme.
      expect(destructive?.background[3]).toBe(theme === 'dark' ? 153 : 255)
      const [red = 0, green = 0, blue = 0] = destructive?.background ?? []
      expect(red).toBeGreaterThan(green + 50)
      expect(red).toBeGreaterThan(blue + 50)
      expect(warning?.color).not.toEqual(card?.color)
      expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('[data-slot=alert]')).borderRadius`)).toBe(
        '8px',
      )
      await page.close()
    },
  )
})
