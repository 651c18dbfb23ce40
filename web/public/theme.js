// Runs before the first paint, so that a dark page never flashes white. A file of its own because the CSP forbids inline scripts.
;(() => {
  const chosen = localStorage.getItem('DSP_THEME') ?? 'system'
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const brand = localStorage.getItem('DSP_BRAND')
  if (brand !== null && /^#[0-9a-f]{6}$/i.test(brand)) document.documentElement.style.setProperty('--brand', brand)
  document.documentElement.lang = localStorage.getItem('DSP_LANGUAGE') ?? 'en'
})()
