import { useNavigate } from '@tanstack/react-router'
import { Keyboard, Languages, ListTree, LogOut, SunMoon, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HELP, PALETTE } from '../shortcuts/ids.ts'
import { activeShortcuts } from '../shortcuts/shortcuts.ts'
import { can } from '@/session/can'
import { useMe, useWhitelabel } from '@/session/session-queries'
import { LANGUAGES } from '#domain/kit/languages'
import { chooseLanguage } from '@/i18n/setup'
import { useLanguage } from '@/i18n/use-language'
import { SCHEMES, setScheme, useScheme } from '@/theme/color-scheme'
import { objectives, usePages } from '../actions.ts'
import { logOut } from '@/session/log-out'

export const GROUPS = ['sections', 'here', 'pages', 'create', 'settings'] as const
export type Command = {
  /** Stable: recent commands are stored by id. */
  readonly id: string
  readonly group: (typeof GROUPS)[number]
  readonly label: string
  readonly Icon: LucideIcon
  /** Its shortcut. */
  readonly keys?: string | undefined
  readonly run: () => void
}

/** Returns the pages, actions and settings available to the user on this page. */
export function useCommands(): readonly Command[] {
  const { t } = useTranslation(['palette', 'common', 'campaigns', 'shortcuts'])
  const navigate = useNavigate()
  const me = useMe()
  const { audio } = useWhitelabel()
  const language = useLanguage()
  const scheme = useScheme()
  // The shortcuts of the page on which the palette was opened.
  const [shortcuts] = useState(activeShortcuts)
  const ofPage = shortcuts
    .filter(({ id }) => id !== PALETTE && id !== HELP)
    .map(({ id, label, keys, Icon, run }): Command => {
      const [key] = keys
      if (key !== undefined) return { id, group: 'here', label, Icon: Icon ?? Keyboard, keys: key, run }
      return Icon === undefined ? { id, group: 'sections', label, Icon: ListTree, run } : { id, group: 'here', label, Icon, run }
    })
  const pages = usePages(me).map(({ to, name, Icon, group }): Command => ({
    id: `page ${group} ${to}`,
    group: 'pages',
    label: group === 'administration' ? t('palette:administration', { page: t(`common:nav.${name}`) }) : t(`common:nav.${name}`),
    Icon,
    run: () => void navigate({ to }),
  }))
  const create = can(me, 'campaign.write')
    ? objectives({ audio }).map(({ key, type, Icon }): Command => ({
        id: `create ${type}`,
        group: 'create',
        label: t('palette:create', { objective: t(`campaigns:goalPicker.${key}`) }),
        Icon,
        run: () => void navigate({ to: '/campaign/create', search: { tab: 'basicInfo', type } }),
      }))
    : []
  const languages = LANGUAGES.filter(({ code }) => code !== language).map(({ code, name }): Command => ({
    id: `language ${code}`,
    group: 'settings',
    label: `${t('common:language')}: ${name}`,
    Icon: Languages,
    run: () => void chooseLanguage(code),
  }))
  const schemes = SCHEMES.filter((one) => one !== scheme).map((one): Command => ({
    id: `theme ${one}`,
    group: 'settings',
    label: `${t('common:theme')}: ${t(`common:scheme.${one}`)}`,
    Icon: SunMoon,
    run: () => setScheme(one),
  }))
  const help = shortcuts
    .filter(({ id }) => id === HELP)
    .map(({ id, keys, run }): Command => ({
      id,
      group: 'settings',
      label: t('shortcuts:title'),
      Icon: Keyboard,
      keys: keys[0],
      run,
    }))
  const leave: Command = { id: 'logout', group: 'settings', label: t('common:logout'), Icon: LogOut, run: logOut }
  return [...ofPage, ...pages, ...create, ...languages, ...schemes, ...help, leave]
}

/** True when the label contains every typed word. */
export const matchesTyped = (label: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word))
