import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import { knownLanguage, LANGUAGES } from '#domain/kit/languages'
import { chooseLanguage } from '@/i18n/setup'
import { SCHEMES, setScheme, useScheme } from '@/theme/color-scheme'

const quiet = 'text-[0.8125rem]/4.5 h-8 border-transparent bg-transparent pl-2.5'

/** The frame of signed-out pages: one card in the middle, language and theme below. */
export function PublicFrame() {
  const { t, i18n } = useTranslation()
  const scheme = useScheme()
  return (
    <div className="bg-background grid min-h-dvh grid-rows-[1fr_auto]">
      <main className="grid place-items-center px-4 py-12">
        <Outlet />
      </main>
      <footer className="text-muted-foreground flex justify-center gap-1 pb-6">
        <NativeSelect
          aria-label={t('language')}
          value={i18n.language}
          onChange={(event) => {
            const language = knownLanguage(event.target.value)
            if (language) void chooseLanguage(language)
          }}
          className={quiet}
        >
          {LANGUAGES.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          aria-label={t('theme')}
          value={scheme}
          onChange={(event) => {
            const choice = SCHEMES.find((known) => known === event.target.value)
            if (choice) setScheme(choice)
          }}
          className={quiet}
        >
          {SCHEMES.map((choice) => (
            <option key={choice} value={choice}>
              {t(`scheme.${choice}`)}
            </option>
          ))}
        </NativeSelect>
      </footer>
    </div>
  )
}
