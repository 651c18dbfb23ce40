// Runs before the first paint and long before the application. A file of its own because the CSP forbids inline scripts.
;(() => {
  // A dark page never flashes white, nor does another brand's colour.
  const chosen = localStorage.getItem('DSP_THEME') ?? 'system'
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const brand = localStorage.getItem('DSP_BRAND')
  if (brand !== null && /^#[0-9a-f]{6}$/i.test(brand)) document.documentElement.style.setProperty('--brand', brand)
  document.documentElement.lang = localStorage.getItem('DSP_LANGUAGE') ?? 'en'

  // Every page waits for who is signed in, and the form for its campaign: asked for while the application is on its way, taken by web/api/early.ts.
  const token = localStorage.getItem('DSP_AUTH_TOKEN')
  if (token === null || !(Number(localStorage.getItem('DSP_AUTH_TOKEN_EXPIRES_AT')) - Date.now() > 10_000)) return
  const campaign = /^\/campaign\/edit\/([^/]+)$/.exec(location.pathname)?.[1]
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
  window.askedEarly = ['/v1/user/me', ...(campaign === undefined ? [] : [`/v1/campaign/${campaign}`])].map((url) => {
    const answer = fetch(url, { headers })
    answer.catch(() => undefined)
    return { url, token, answer }
  })
})()
