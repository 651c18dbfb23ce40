import { RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useController, useFormContext } from 'react-hook-form'
import { contrastOf, DEFAULT_COLORS, ON_PRIMARY, shownColor, type BrandToken } from '#domain/white-label/palette'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { formatExact } from '@/i18n/format'
import { colorIn, type BrandingValues, type ColorField as Name } from './branding-values.ts'

/** Where each colour shows first; the token whose shade is explained. */
const TOKENS: Readonly<Record<Name, BrandToken>> = {
  primary: 'primary',
  secondary: 'chart-2',
  warning: 'warning',
  gauge: 'gauge',
}

/** A colour as six digits or by the browser's picker, with the shades that screens will really show. */
export function ColorField({ name }: { readonly name: Name }) {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  const chosen = colorIn(value)
  return (
    <div className="flex flex-col gap-2">
      <LabelledField label={t(`color.${name}`)} help={t(`colorHelp.${name}`)} error={fieldState.error?.message}>
        <div className="flex items-center gap-2">
          <input
            type="color"
            aria-label={t('color.pick', { name: t(`color.${name}`) })}
            value={chosen ?? DEFAULT_COLORS[name]}
            onChange={({ target }) => onChange(target.value)}
            className="border-input bg-card h-9 w-11 shrink-0 cursor-pointer rounded-md border p-1"
          />
          <FieldInput
            ref={ref}
            name={name}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            placeholder={t('color.own')}
            maxLength={9}
            spellCheck={false}
            autoComplete="off"
            className="max-w-40 tabular-nums"
          />
          {value !== '' && (
            <HoverTip text={t('color.reset')}>
              <Button variant="ghost" size="icon" aria-label={t('color.reset')} onClick={() => onChange('')}>
                <RotateCcw aria-hidden />
              </Button>
            </HoverTip>
          )}
        </div>
      </LabelledField>
      {chosen !== null && <Shades name={name} chosen={chosen} />}
    </div>
  )
}

/** Shades of the colour in each theme. Nothing is refused: a shade moves until text can be read. */
function Shades({ name, chosen }: { readonly name: Name; readonly chosen: string }) {
  const { t } = useTranslation('customization')
  const token = TOKENS[name]
  return (
    <ul className="text-muted-foreground flex flex-col gap-1 text-xs">
      {(['light', 'dark'] as const).map((theme) => {
        const shown = shownColor(token, theme, chosen)
        const contrast = formatExact(Math.floor(contrastOf(ON_PRIMARY, shown) * 10) / 10)
        return (
          <li key={theme} className="flex items-center gap-2">
            <span aria-hidden className="border-border size-3.5 shrink-0 rounded-sm border" style={{ backgroundColor: shown }} />
            <span>
              {t(shown === chosen ? 'shade.same' : 'shade.moved', { theme: t(`theme.${theme}`), color: shown })}
              {name === 'primary' && ` ${t('shade.contrast', { contrast })}`}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
