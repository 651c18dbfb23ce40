import creatives from '../locales/en/creatives.json'
import form from '../locales/en/form.json'
import frequency from '../locales/en/frequency.json'
import geography from '../locales/en/geography.json'
import placement from '../locales/en/placement.json'
import targeting from '../locales/en/targeting.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the campaign form and its content.
addEnglish({ creatives, form, frequency, geography, placement, targeting })
