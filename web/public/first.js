// Runs before the first paint and long before the application. A file of its own because the CSP forbids inline scripts.
;(() => {
  // A dark page never flashes white, nor does another brand's colour.
  const chosen = localStorage.getItem('DSP_THEME') ?? 'system'
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const brand = localStorage.getItem('DSP_BRAND')
  if (brand !== null && /^#[0-9a-f]{6}$/i.test(brand)) document.documentElement.style.setProperty('--brand', brand)
  document.documentElement.lang = localStorage.getItem('DSP_LANGUAGE') ?? 'en'

  // Every page waits for who is signed in: asked for while the application is still on its way, taken by web/api/early.ts.
  const token = localStorage.getItem('DSP_AUTH_TOKEN')
  if (token === null || !(Number(localStorage.getItem('DSP_AUTH_TOKEN_EXPIRES_AT')) - Date.now() > 10_000)) return
  const url = '/v1/user/me'
  const answer = fetch(url, { headers: { Accept: 'application/json', Authorization: `Bearer ${token}` } })
  answer.catch(() => undefined)
  window.askedEarly = { url, token, answer }
})()
