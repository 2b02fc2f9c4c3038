# SPDX-License-Identifier: MIT
"""A headless Chromium with a profile of its own, and the few things that tests and pictures do with it."""

import json
import os
import shutil
import sys
import tempfile

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
TIMEOUT = 60


def with_selenium():
    """Starts the script again with the system's interpreter, for which Debian's package is, where this one lacks it."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        system = "/usr/bin/python3"
        if os.path.realpath(sys.executable) != os.path.realpath(system) and os.path.exists(system):
            os.execv(system, [system, *sys.orig_argv[1:]])
        return False
    return True


def missing():
    """Missing program or package that a browser needs; empty if there is none."""
    return [name for name, there in (("python3-selenium", with_selenium()), ("chromium", CHROMIUM), ("chromium-driver", DRIVER))
            if not there]


class Browser:
    def __init__(self, width=1360, height=800):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
        self.profile = tempfile.mkdtemp(prefix="affix-chromium-")
        options = Options()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--force-device-scale-factor=1", "--no-first-run", "--disable-background-networking",
                         "--disable-component-update", "--disable-extensions", f"--user-data-dir={self.profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(TIMEOUT)
        self.driver.set_page_load_timeout(TIMEOUT)
        self.resize(width, height)
        self.prefer("light")

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def prefer(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        """A page that knows nothing of the one before: another address of the same page would only change its view."""
        self.driver.get("about:blank")
        self.driver.get(address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, what, wanted):
        """Waits for `wanted()` to be true, also while elements come and go, and returns what it was."""
        from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
        from selenium.webdriver.support.ui import WebDriverWait
        try:
            return WebDriverWait(self.driver, TIMEOUT, poll_frequency=0.05,
                                 ignored_exceptions=[StaleElementReferenceException]).until(lambda _: wanted())
        except TimeoutException:
            raise AssertionError(f"not in {TIMEOUT} s: {what}. The page says: {self.text('body')}") from None

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        """The text that can be seen; empty where there is no such element."""
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector)

    def seen(self, selector):
        return self.run("const one = document.querySelector(arguments[0]);"
                        "return Boolean(one) && one.checkVisibility()", selector)

    def click(self, selector, text=None):
        """Clicks on the first such element that can be seen and has the text."""
        from selenium.common.exceptions import ElementClickInterceptedException, ElementNotInteractableException

        def clicked():
            for element in self.all(selector):
                if element.is_displayed() and (text is None or text in element.text):
                    try:
                        element.click()
                        return True
                    except (ElementClickInterceptedException, ElementNotInteractableException):
                        return False
            return False
        self.until(f"a click on {selector} {text or ''}", clicked)

    def type(self, selector, text):
        element = self.until(selector, lambda: next((one for one in self.all(selector) if one.is_displayed()), None))
        element.clear()
        element.send_keys(text)
        return element

    def errors(self):
        """Errors on the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def requested(self):
        """Addresses that were asked for since this was last asked."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                parameters = message["params"]
                found.append(parameters.get("request", parameters)["url"])
        return found
