noinst_LTLIBRARIES += src/liblog.la
src_liblog_la_SOURCES = src/log/log.h
