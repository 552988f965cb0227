"""Words in names of columns that say what a column is about, in a few languages."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONTACT = _set(
    """email mail phone telephone tel mobile cellphone fax telefon handy telefono telephon
    skype whatsapp twitter ssn nino nhs passport reisepass nif dni nie iban bic imei imsi msisdn
    licence license plate kennzeichen vin fingerprint biometric photo photograph portrait
    username login nickname handle userid ip ipaddress ipaddr mac macaddress socialsecurity
    taxid nationalid creditcard cardnumber mrn"""
)
PERSON_NAME = _set(
    """firstname lastname surname forename fullname givenname familyname middlename maiden
    patronymic vorname nachname familienname prenom nom apellido nombre cognome fname lname
    patientname personname customername clientname membername employeename username
    studentname holdername ownername"""
)
# A `name` beside one of these is no person's.
THING = _set(
    """product item file host server table column country city town state region company
    organisation organization org brand drug medicine medication hospital clinic school ward
    department dept course event job team project group category type class device app event
    street road test campaign domain model store shop station place county district"""
)
STREET = _set("address addr street strasse straße road housenumber adresse rue calle")
PERSON = _set(
    """patient person people customer client user member subject participant respondent employee
    student citizen resident pupil donor applicant borrower insured policyholder individual
    passenger tenant voter case personne kunde klient patientin mitarbeiter household"""
)
KEY = _set("id key pk uuid guid identifier pseudonym token")
# These count, too, unless the rest of the name says what the number or the code is of.
NUMBER = _set("no nr num number code ref reference")
TECHNICAL = _set(
    """created createdat updated updatedat modified modifiedat inserted insertedat loaded loadedat
    etl ingested synced deleted deletedat timestamp ts lastmodified"""
)
SENSITIVE = _set(
    """diagnosis diagnoses diag disease illness icd icd9 icd10 condition symptom disorder infection
    hiv aids std cancer therapy treatment medication drug medicine prescription dose allergy
    genotype gene genome mutation lab result bloodtype blood cholesterol glucose bmi pregnancy
    pregnant abortion disability mental psychiatric depression suicide addiction alcohol smoker
    smoking religion religious faith politics political party vote union orientation sexual
    sexuality salary income wage earnings pay compensation bonus capital gain loss balance debt loan
    mortgage credit creditscore networth wealth asset bankruptcy crime criminal conviction
    offence offense arrest sentence prison complaint claim diagnose krankheit befund gehalt
    einkommen lohn salaire revenu maladie diagnostic diagnostico enfermedad ingresos"""
)
PLACE = _set(
    """zip zipcode postcode postal postalcode plz codepostal cp city town village municipality
    commune gemeinde ort county state province region bundesland kanton country land pays nation
    district borough neighborhood neighbourhood suburb area block tract location place geo
    geohash lat latitude lon lng longitude coordinate coordinates birthplace residence hometown
    continent citizenship nationality ward department dept hospital clinic school university
    college branch site facility station store shop wohnort stadt ville ciudad"""
)
PEOPLE = _set(
    """age alter edad sex gender geschlecht sexe sexo birth birthdate birthday birthyear dob yob
    born geburtsdatum geburtstag geburtsjahr naissance nacimiento race ethnic ethnicity origin
    marital maritalstatus married civilstatus familienstand education educ degree qualification
    grade schooling occupation job jobtitle profession beruf work workclass employer employment
    industry sector position rank title hours hoursperweek relationship household family children
    kids dependents spouse language mothertongue height weight eye hair veteran military insurance
    tenure seniority generation cohort"""
)
DAY = _set(
    """date datum day year month week time jahr fecha admission admitted discharge discharged visit
    visited arrival departure appointment checkin enrolled joined hired deceased death"""
)
