/** Pictures for the demo's banners, generated here: no download and no installed font is needed. */

type Palette = { readonly sky: readonly [string, string]; readonly sun: string; readonly land: readonly [string, string, string] }

const PALETTES: readonly Palette[] = [
  { sky: ['#fde68a', '#fb923c'], sun: '#fff7ed', land: ['#b45309', '#92400e', '#78350f'] },
  { sky: ['#bae6fd', '#38bdf8'], sun: '#fefce8', land: ['#0e7490', '#155e75', '#164e63'] },
  { sky: ['#fecdd3', '#f472b6'], sun: '#fff1f2', land: ['#9d174d', '#831843', '#500724'] },
  { sky: ['#d9f99d', '#4ade80'], sun: '#f7fee7', land: ['#166534', '#14532d', '#052e16'] },
  { sky: ['#c7d2fe', '#818cf8'], sun: '#eef2ff', land: ['#3730a3', '#312e81', '#1e1b4b'] },
]

/** An SVG landscape of the given size; `seed` chooses colours and hills. */
export function landscape(width: number, height: number, seed: number): string {
  const { sky, sun, land } = PALETTES[seed % PALETTES.length] ?? {
    sky: ['#eee', '#ccc'],
    sun: '#fff',
    land: ['#888', '#666', '#444'],
  }
  const wave = (level: number, swing: number, phase: number): string => {
    const points = Array.from({ length: 13 }, (_, i) => {
      const x = (i / 12) * width
      const y = height * (level + swing * Math.sin(phase + (i / 12) * Math.PI * 2.4))
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    return `M0,${height} L${points.join(' L')} L${width},${height} Z`
  }
  const radius = Math.min(width, height) * 0.17
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${width * (0.25 + 0.1 * (seed % 5))}" cy="${height * 0.4}" r="${radius}" fill="${sun}" fill-opacity="0.92"/>
    <path d="${wave(0.58, 0.06, seed)}" fill="${land[0]}"/>
    <path d="${wave(0.7, 0.07, seed * 1.7 + 1)}" fill="${land[1]}"/>
    <path d="${wave(0.84, 0.05, seed * 2.3 + 2)}" fill="${land[2]}"/>
  </svg>`
}
