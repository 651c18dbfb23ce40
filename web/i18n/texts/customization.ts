import customization from '../locales/en/customization.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the customization screen.
addEnglish({ customization })
