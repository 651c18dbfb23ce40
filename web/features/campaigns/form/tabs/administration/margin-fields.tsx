import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { symbolOf } from '@/i18n/format'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'

const MESSAGE_MS = 3000
type Blocked = 'margin' | 'fixedCpm'

/**
 * Margin or fixed CPM. The filled field disables the other and shows a hint for three seconds, then and when the disabled one is
 * pressed.
 */
export function MarginFields() {
  const { t } = useTranslation(['administration', 'faults'])
  const { control } = useCampaignForm()
  const { currency } = useFormBase()
  const [margin, fixedCpm] = useWatch({ control, name: ['administration.margin', 'administration.fixedCpm'] })
  // Some stored campaigns have both. Then neither field is blocked, so that both can be emptied.
  const blocked: Blocked | null =
    margin !== '' && fixedCpm === '' ? 'fixedCpm' : margin === '' && fixedCpm !== '' ? 'margin' : null
  const { hint, show } = useHint(blocked)
  return (
    <>
      <OneOfTwo
        name="administration.margin"
        label={t('administration:margin')}
        help={blocked === 'margin' ? t('administration:offForFixedCpm') : t('administration:marginHelp')}
        message={hint === 'margin' ? t('faults:fixedCpmBeforeMargin') : undefined}
        blocked={blocked === 'margin'}
        inputMode="numeric"
        onTry={() => show('margin')}
      />
      <OneOfTwo
        name="administration.fixedCpm"
        label={t('administration:fixedCpm')}
        help={blocked === 'fixedCpm' ? t('administration:offForMargin') : t('administration:fixedCpmHelp')}
        message={hint === 'fixedCpm' ? t('faults:marginBeforeFixedCpm') : undefined}
        blocked={blocked === 'fixedCpm'}
        inputMode="decimal"
        unit={currency === null ? undefined : symbolOf(currency)}
        onTry={() => show('fixedCpm')}
      />
    </>
  )
}

/** The visible hint. It disappears after its time, or at once when no field is blocked. */
function useHint(blocked: Blocked | null) {
  const [hint, setHint] = useState<{ readonly what: Blocked | null }>({ what: null })
  const [before, setBefore] = useState(blocked)
  if (before !== blocked) {
    setBefore(blocked)
    setHint({ what: blocked })
  }
  useEffect(() => {
    if (hint.what === null) return undefined
    const timer = setTimeout(() => setHint({ what: null }), MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [hint])
  return { hint: hint.what, show: (what: Blocked) => setHint({ what }) }
}

type OneOfTwoProps = {
  readonly name: 'administration.margin' | 'administration.fixedCpm'
  readonly label: string
  readonly help: string
  readonly message: string | undefined
  readonly blocked: boolean
  readonly inputMode: 'numeric' | 'decimal'
  readonly unit?: string | undefined
  readonly onTry: () => void
}

function OneOfTwo({ name, label, help, message, blocked, inputMode, unit, onTry }: OneOfTwoProps) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError(name)
  return (
    // A disabled input receives no pointer events, so the wrapper handles them.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onPointerDown={blocked && !readOnly ? onTry : undefined}>
      <LabelledField label={label} help={message === undefined ? help : undefined} error={error} unit={unit}>
        <FieldInput
          autoComplete="off"
          inputMode={inputMode}
          readOnly={readOnly}
          disabled={blocked}
          className="disabled:pointer-events-none tabular-nums"
          {...register(name)}
        />
      </LabelledField>
      <p role="alert" className="text-warning text-xs mt-1.5 empty:hidden">
        {message}
      </p>
    </div>
  )
}
